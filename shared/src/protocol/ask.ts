import * as z from 'zod';

/** What a person may answer: this once, for the rest of this client's session, or no. */
export const ANSWERS = ['once', 'session', 'no'] as const;
export type Answer = (typeof ANSWERS)[number];

/** What is asked for: to run something that changes data, or to connect to a database that needs an approval. */
const QUESTION_KINDS = ['change', 'connect'] as const;

/** A question to a person before something is changed. */
export const questionSchema = z.object({
  title: z.string(),
  /** The whole question as text: what would run, where, and what it would change. */
  message: z.string(),
  kind: z.enum(QUESTION_KINDS).optional(),
  /** The same in parts, for whoever can show more than text. The statement is whole here. */
  parts: z
    .object({
      ask: z.string(),
      statement: z.string().optional(),
      facts: z.array(z.object({ label: z.string(), value: z.string() })),
    })
    .optional(),
});
export type Question = z.infer<typeof questionSchema>;

/** The form an MCP client shows. Pressing accept without choosing means this once. */
export const ANSWER_FORM = {
  type: 'object',
  properties: {
    answer: {
      type: 'string',
      title: 'Run it?',
      description:
        'once: only this statement. session: this kind of statement until the client ends. no: do not run it.',
      enum: ANSWERS,
      enumNames: ['Yes, this once', 'Yes, for this session', 'No'],
      default: 'once',
    },
  },
} as const;

/** What a client says to a question (the result of an MCP elicitation). */
export const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).nullish(),
  /** The client failed to show the question, so that nobody said anything. */
  unable: z.boolean().optional(),
});
export type Reply = z.infer<typeof replySchema>;

/** No, cancel and anything unreadable are no. */
export function readReply(reply: Reply): Answer {
  if (reply.action !== 'accept') return 'no';
  const said = reply.content?.['answer'];
  if (said === undefined) return 'once';
  return ANSWERS.find((answer) => answer === said) ?? 'no';
}
