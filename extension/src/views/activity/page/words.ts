import { UNNAMED_CLIENT } from '@devdb/shared/client-name';
import type { CallRecord, CallState } from '@devdb/shared/protocol/call-record';

/** What became of a call, in a word or two. */
export const VERDICTS = {
  running: 'Running',
  asking: 'Waiting for an answer',
  read: 'Read',
  changed: 'Changed',
  refused: 'Refused',
  stopped: 'Stopped',
  failed: 'Failed',
} as const satisfies Record<CallState, string>;

const DOORS = {
  mcp: 'MCP over HTTP',
  rest: 'DevDB’s local port',
  bridge: 'Bridge over HTTP',
  pipe: 'This editor',
} as const satisfies Record<CallRecord['door'], string>;

/** Why a call was refused, where the code alone says it. */
const REASONS: Readonly<Record<string, string>> = {
  E_CONFIRMATION_REQUIRED: 'No user could be asked',
  E_READ_ONLY: 'Only reads are allowed here',
  E_DISABLED: 'The tool is off',
  E_UNTRUSTED_WORKSPACE: 'The workspace is not trusted',
  E_FORBIDDEN: 'DevDB never runs this for an agent',
  E_APPROVAL_DENIED: 'Changes are switched off',
};

/** Whether it can still be stopped. */
export function isOpen({ state }: CallRecord): boolean {
  return state === 'running' || state === 'asking';
}

export function verdictOf({ state }: CallRecord): string {
  return VERDICTS[state];
}

/** Who decided, and how, in a few words; empty where nothing had to be decided. */
export function decisionOf(call: CallRecord): string {
  const { state, code = '' } = call;
  switch (state) {
    case 'stopped':
      return 'You stopped it';
    case 'failed':
      return code === 'E_UNREACHABLE' ? 'DevDB ended before it did' : code;
    case 'refused':
      return refusalOf(call);
    case 'changed':
      return yesOf(call) || 'No question was needed';
    case 'running':
    case 'asking':
    case 'read':
      return yesOf(call);
  }
}

function refusalOf({ code = '', client, decisions }: CallRecord): string {
  const last = decisions.at(-1);
  if (last?.answer === 'no') return last.by === 'client' ? `You said no, in ${client}` : 'You said no';
  return last?.answer === 'none' ? 'The question got no answer' : (REASONS[code] ?? code);
}

function yesOf({ client, decisions }: CallRecord): string {
  const last = decisions.at(-1);
  if (last === undefined || last.answer === 'none' || last.answer === 'no') return '';
  const how = last.answer === 'session' ? 'You allowed it for this session' : 'You allowed it';
  return last.by === 'client' ? `${how}, in ${client}` : how;
}

/** Says of a client, by the name it gives itself, that the user is asked about each of its calls. */
export function askedSentence(client: string): string {
  const who = client === UNNAMED_CLIENT ? 'clients that give no name' : `the client that calls itself “${client}”`;
  return `You are asked before each call of ${who}.`;
}

/** Whether a call of this tool is about one statement, which a database has a plan for. */
export function hasPlan(tool: string): boolean {
  return tool === 'run-query' || tool === 'explain-query' || tool === 'export-query';
}

/** Rows and time, as far as they are known. */
export function measuresOf({ rows, changedRows, truncated, ms }: CallRecord): string[] {
  return [
    ...(changedRows === undefined ? [] : [`${countOf(changedRows)} changed`]),
    ...(rows === undefined || (rows === 0 && changedRows !== undefined)
      ? []
      : [truncated === true ? `first ${countOf(rows)}` : countOf(rows)]),
    ...(ms === undefined ? [] : [durationOf(ms)]),
  ];
}

/** The facts of the details, each with its label. */
export function factsOf(call: CallRecord, when: string): readonly (readonly [label: string, value: string])[] {
  return [
    ['Tool', call.tool],
    ['Agent', call.client],
    ...(call.connection === undefined ? [] : [['Database', call.connection] as const]),
    ['Project', call.root],
    ['Came in by', DOORS[call.door]],
    ['Started', when],
  ];
}

/** What a screen reader hears about calls that are new since it last heard anything. */
export function newsOf(calls: readonly CallRecord[]): string {
  const last = calls.at(-1);
  if (last === undefined) return '';
  const sentence = `${last.title} by ${last.client}: ${[verdictOf(last), decisionOf(last)].filter(Boolean).join(', ')}.`;
  return calls.length === 1 ? sentence : `${calls.length} calls. The last: ${sentence}`;
}

/** Whether a call has this text anywhere in what the list shows. */
export function hasText(call: CallRecord, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const shown = [
    call.title,
    call.tool,
    call.client,
    call.subject,
    call.connection ?? '',
    verdictOf(call),
    decisionOf(call),
  ];
  return wanted === '' || shown.some((part) => part.toLowerCase().includes(wanted));
}

function countOf(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
}

function durationOf(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
