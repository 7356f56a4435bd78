import { once } from '../once.ts';
import type { ValueOf } from './message-schema.ts';
import { notice } from './method.ts';
import { amount, exactly, fields, flag, listOf, oneOf, plainLine, text, whole } from './shapes.ts';

/** How a call came in. A person's own look at the database from the editor is not recorded. */
const ACTIVITY_DOORS = ['mcp', 'rest', 'bridge', 'pipe'] as const;

/** What became of a call, or is becoming of it. */
const CALL_STATES = [
  'running',
  /** A person is being asked about it. */
  'asking',
  'read',
  /** It ran, and may have changed something. */
  'changed',
  /** By a person, a setting, or because no user could be asked. */
  'refused',
  /** By a person, on the activity page. */
  'stopped',
  'failed',
] as const;
export type CallState = (typeof CALL_STATES)[number];

/** Where a person answered, and what. `none` means that the question ended without an answer. */
const decision = once(() =>
  fields({
    by: oneOf(['editor', 'client', 'earlier']),
    answer: oneOf(['once', 'session', 'no', 'none']),
  }),
);
export type Decision = ValueOf<ReturnType<typeof decision>>;

/** One call of an agent. */
export const callRecord = once(() =>
  fields(
    {
      id: text,
      /** The order of arrival. */
      number: whole,
      tool: plainLine,
      title: plainLine,
      client: plainLine,
      door: oneOf(ACTIVITY_DOORS),
      root: text,
      /** ISO 8601. */
      startedAt: text,
      /** The input in one line: the start of a statement, a path, a command. */
      subject: plainLine,
      state: oneOf(CALL_STATES),
      /** What people answered about it, in order. */
      decisions: listOf(decision()),
    },
    {
      /** The database it used. */
      connection: plainLine,
      ms: amount,
      rows: whole,
      changedRows: whole,
      truncated: flag,
      code: text,
      /** From before the window was reloaded: its values were not kept. */
      isEarlier: flag,
    },
  ),
);
export type CallRecord = ValueOf<ReturnType<typeof callRecord>>;

/** Calls that began, changed or ended since the last notice; sent to an editor that watches. */
export const activityChanged = notice('editor/activityChanged', () => exactly({ calls: listOf(callRecord()) }));
