import * as z from 'zod';
import { once } from '../once.ts';
import { framed } from '../plain-sight.ts';
import { letterNote, linesOf, type PlainText, plain, sentenceText } from '../plain-text.ts';
import { plainField, plainLinesField } from './plain-field.ts';

/** The answers to a question: once, for the rest of this client's session, or no. */
export const ANSWERS = ['once', 'session', 'no'] as const;
export type Answer = (typeof ANSWERS)[number];

/** The form in which an answer comes from the editor. */
export const answerSchema = once(() => z.object({ answer: z.enum(ANSWERS) }));

/** What is asked for: a change of data, a connection to a database that needs approval, or any call of a client. */
const QUESTION_KINDS = ['change', 'connect', 'call'] as const;

/** What a yes for the session covers: changes of the kind, calls of the tool, those for the file, the very same alone. */
const SESSION_SCOPES = ['kind', 'tool', 'file', 'same'] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

/** A question to a person before anything is changed. */
export const questionSchema = once(() =>
  z.object({
    title: plainField(),
    /** The whole question as text: what would run, where, and what it would change. */
    message: plainLinesField(),
    kind: z.enum(QUESTION_KINDS).optional(),
    session: z.enum(SESSION_SCOPES).optional(),
    /** The same in parts, for clients that can show more than text. The statement is whole here. */
    parts: z
      .object({
        ask: plainField(),
        statement: z.string().optional(),
        facts: z.array(z.object({ label: plainField(), value: plainField() })),
      })
      .optional(),
  }),
);
export type Question = z.infer<ReturnType<typeof questionSchema>>;

/** The facts a person needs to answer. Only the statement is untrusted text; the view that shows it frames it. */
export interface QuestionParts {
  readonly kind: NonNullable<Question['kind']>;
  readonly session?: SessionScope | undefined;
  readonly title: PlainText;
  /** One sentence with a question mark. */
  readonly ask: PlainText;
  readonly statement?: string | undefined;
  readonly facts: readonly { readonly label: PlainText; readonly value: PlainText }[];
}

/** Builds a question from its parts, and its text form: every line is ours or starts with the statement's bar. */
export function questionOf({ kind, session, title, ask, statement, facts: told }: QuestionParts): Question {
  const facts = [...told, ...(statement === undefined ? [] : letterFacts(statement))];
  const lines = facts.map(({ label, value }) => withoutLinks(plain`${label}: ${value}`));
  const block = statement === undefined ? [] : ['' as const, framed(statement)];
  return {
    kind,
    ...(session === undefined ? {} : { session }),
    title,
    message: linesOf([withoutLinks(ask), ...block, '', ...lines]),
    parts: { ask, facts, ...(statement === undefined ? {} : { statement }) },
  };
}

/** Letters that look like others or run right to left make a statement read as something it is not. */
function letterFacts(statement: string): QuestionParts['facts'] {
  const kinds = letterNote(statement);
  if (kinds === undefined) return [];
  const value = plain`The statement has unusual characters (${kinds}). They may look like other characters, or be shown in a different order from the one that runs.`;
  return [{ label: plain`Mind the letters`, value }];
}

/** Clients that render Markdown could turn a name into a link. */
function withoutLinks(text: PlainText): PlainText {
  return sentenceText(text.replaceAll('](', '] ('));
}

/** The form an MCP client shows. Accepting without a choice means once. */
export const ANSWER_FORM = {
  type: 'object',
  properties: {
    answer: {
      type: 'string',
      title: 'Run it?',
      description:
        'once: only this. session: this and later changes of the same kind, until the client disconnects. no: do not run it.',
      enum: ANSWERS,
      enumNames: ['Yes, this once', 'Yes, for this session', 'No'],
      default: 'once',
    },
  },
} as const;

/** A client's reply to a question (the result of an MCP elicitation). */
export const replySchema = once(() =>
  z.object({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.unknown()).nullish(),
    /** The client failed to show the question, so there was no answer. */
    unable: z.boolean().optional(),
  }),
);
export type Reply = z.infer<ReturnType<typeof replySchema>>;

/** What came back from a client: `closed` says that it ended the question without an answer, perhaps before anyone saw it. */
export type ClientAnswer = Answer | 'closed';

/** Anything unreadable is a no. Claude Code without a person says that it can ask, and then cancels at once. */
export function readReply(reply: Reply): ClientAnswer {
  if (reply.action === 'cancel') return 'closed';
  if (reply.action !== 'accept') return 'no';
  const said = reply.content?.['answer'];
  if (said === undefined) return 'once';
  return ANSWERS.find((answer) => answer === said) ?? 'no';
}
