/**
 * What a link carries in both directions: messages of a head and a payload. The head is the payload's length (4 bytes),
 * the number the entry gave the call (4 bytes), both little-endian, and the kind (1 byte). A receiver skips kinds it
 * does not know: kinds and fields may be added, never changed.
 */
export const MESSAGE_HEAD_BYTES = 9;

export const MESSAGES = {
  /** The entry's first message, number 0: {token, client, timeoutMs?}. Nothing is answered before it. */
  greeting: 1,
  /** {tool, client?, canAsk?, textAlone?, input} */
  call: 2,
  /** No payload. Nothing more comes for this call. */
  cancel: 3,
  /** Number 0: {ask, reply}, a person's answer to a question that was sent over this link. */
  answer: 4,
  /** To the entry: progress or a question, in the form of a line of an NDJSON answer. */
  line: 5,
  /** To the entry, last of a call: the finished MCP result, one line of JSON that is passed on unparsed. */
  result: 6,
  /** To the entry, last of a call that reached no tool: {error}. With number 0 the link itself is refused. */
  refused: 7,
} as const;

export type MessageKind = (typeof MESSAGES)[keyof typeof MESSAGES];
