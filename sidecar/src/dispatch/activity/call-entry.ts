import type { EngineKind } from '@devdb/shared/engines';
import type { WireError } from '@devdb/shared/errors';
import { nameText, type PlainText, sentenceText } from '@devdb/shared/plain-text';
import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { CallRecord, CallState, Decision } from '@devdb/shared/protocol/call-record';
import type { RowsHead } from '@devdb/shared/rows-text';
import { firstRows, shownRows } from './first-rows.ts';
import { hidden, subjectOf, type ToldInput, toldInput } from './told-input.ts';

/** Codes of calls that a person, a setting or the lack of anybody to ask did not let run. */
const REFUSALS = new Set([
  'E_READ_ONLY',
  'E_FORBIDDEN',
  'E_DISABLED',
  'E_UNTRUSTED_WORKSPACE',
  'E_APPROVAL_DENIED',
  'E_CONFIRMATION_REQUIRED',
]);

/** What a call takes besides its texts. */
const OVERHEAD_BYTES = 512;

/** What is known of a call when it begins. */
export interface CallStart {
  readonly id: string;
  readonly number: number;
  readonly tool: string;
  readonly title: string;
  readonly door: CallRecord['door'];
  readonly client: PlainText;
  readonly root: string;
  readonly arrived: Date;
  readonly input: unknown;
}

/** The database that a call uses. */
export interface UsedDatabase {
  readonly id: string;
  readonly name: PlainText;
  readonly kind: EngineKind;
}

/** How a call ended. */
export type CallEnd = { readonly ms: number } & ({ readonly data: unknown } | { readonly error: WireError });

/** One call in the activity, from its start on. */
export class CallEntry {
  readonly #start: Omit<CallStart, 'input'>;
  readonly #told: ToldInput;
  readonly #decisions: Decision[] = [];
  #state: CallState = 'running';
  #changes = false;
  #wasStopped = false;
  #database: UsedDatabase | undefined;
  #facts: Pick<CallRecord, 'ms' | 'rows' | 'changedRows' | 'truncated' | 'code'> = {};
  #result: RowsHead | undefined;
  #error: CallDetails['error'];

  constructor({ input, ...start }: CallStart) {
    this.#start = start;
    this.#told = toldInput(input);
  }

  get id(): string {
    return this.#start.id;
  }

  /** The engine of the database it used. */
  get kind(): EngineKind | undefined {
    return this.#database?.kind;
  }

  get hasEnded(): boolean {
    return this.#state !== 'running' && this.#state !== 'asking';
  }

  /** The memory it keeps, roughly. */
  get bytes(): number {
    const { statement = '', input = '', line = '' } = this.#told;
    return OVERHEAD_BYTES + statement.length + input.length + line.length + (this.#result?.text.length ?? 0);
  }

  asking(isAsking: boolean): void {
    if (!this.hasEnded) this.#state = isAsking ? 'asking' : 'running';
  }

  decided(decision: Decision): void {
    this.#decisions.push(decision);
  }

  uses(database: UsedDatabase): void {
    this.#database = database;
  }

  changes(): void {
    this.#changes = true;
  }

  stopped(): void {
    this.#wasStopped = true;
  }

  end(end: CallEnd): void {
    if ('error' in end) this.#fail(end.error);
    else this.#succeed(end.data);
    this.#facts = { ...this.#facts, ms: end.ms };
  }

  record(): CallRecord {
    const { id, number, tool, title, door, client, root, arrived } = this.#start;
    return {
      id,
      number,
      tool: nameText(tool),
      title: nameText(title),
      client,
      door,
      root,
      startedAt: arrived.toISOString(),
      subject: subjectOf(this.#told),
      ...(this.#database === undefined ? {} : { connection: this.#database.name }),
      state: this.#state,
      decisions: [...this.#decisions],
      ...this.#facts,
    };
  }

  details(): CallDetails {
    const { statement, input } = this.#told;
    return {
      ...(statement === undefined ? {} : { statement: hidden(statement) }),
      ...(this.#database === undefined ? {} : { databaseId: this.#database.id }),
      ...(input === undefined ? {} : { input }),
      ...(this.#result === undefined ? {} : { result: shownRows(this.#result) }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }

  #succeed(data: unknown): void {
    const told = typeof data === 'object' && data !== null ? data : {};
    this.#state = this.#changes ? 'changed' : 'read';
    this.#result = firstRows(data);
    const rows = numberIn(told, 'rowCount');
    const changedRows = numberIn(told, 'affectedRows');
    this.#facts = {
      ...(rows === undefined ? {} : { rows }),
      ...(changedRows === undefined ? {} : { changedRows }),
      ...('truncated' in told && told.truncated === true ? { truncated: true } : {}),
    };
  }

  #fail({ code, message, hint }: WireError): void {
    this.#state = this.#wasStopped && code === 'E_CANCELLED' ? 'stopped' : REFUSALS.has(code) ? 'refused' : 'failed';
    this.#facts = { code };
    this.#error = {
      code,
      message: sentenceText(hidden(message)),
      ...(hint === undefined ? {} : { hint: sentenceText(hidden(hint)) }),
    };
  }
}

function numberIn(data: object, name: string): number | undefined {
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
