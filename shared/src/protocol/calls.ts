/**
 * What an upgraded connection carries, both ways: messages of a head and a payload. The head is the payload's length
 * (4 bytes), the number that the entry gave the call (4 bytes), both little-endian, and the kind (1 byte). A receiver
 * skips kinds that it does not know: kinds and fields are only added, never changed.
 */
export const MESSAGE_HEAD_BYTES = 9;

export const MESSAGES = {
  /** The entry's first message, number 0: {token, client, timeoutMs?}. Nothing before it is answered. */
  greeting: 1,
  /** {tool, client?, canAsk?, textAlone?, input} */
  call: 2,
  /** No payload. Nothing more comes for this call. */
  cancel: 3,
  /** Number 0: {ask, reply}, what a person said to a question that was put on this connection. */
  answer: 4,
  /** To the entry: progress, or a question, as a line of an NDJSON answer has them. */
  line: 5,
  /** To the entry, the last of a call: the finished MCP result, one line of JSON that is passed on unparsed. */
  result: 6,
  /** To the entry, the last of a call that no tool has seen: {error}. With number 0 the connection is refused. */
  refused: 7,
} as const;

export type MessageKind = (typeof MESSAGES)[keyof typeof MESSAGES];
