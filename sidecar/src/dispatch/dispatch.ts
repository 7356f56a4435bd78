import { msSince } from '@devdb/shared/elapsed';
import type { Envelope, Meta } from '@devdb/shared/envelope';
import { AppError, type ErrorCode, toWire } from '@devdb/shared/errors';
import { withoutRowsText } from '@devdb/shared/rows-text';
import { allTools, findTool, mayAnswer, type ToolDefinition } from '@devdb/shared/tools';
import { parseInput } from '@devdb/shared/tools/parse-input';
import { newRequestId } from '../host/request-id.ts';
import type { Activity, RecordedCall } from './activity/activity.ts';
import { Alarms } from './alarms.ts';
import type { AnswerRoom } from './answer-room.ts';
import { isEditorChange, notBegun } from './applied.ts';
import type { Caller } from './caller.ts';
import { Deadline } from './deadline.ts';
import type { Gate } from './gate.ts';
import { MAX_LOGGED_NAME_CHARS } from './limits.ts';

/** Runs a parsed input. The gate parses its result as well. */
export type Run = (input: Record<string, unknown>, call: Call) => Promise<unknown>;

/** What the gate passes to a running tool. */
export interface Call {
  readonly caller: Caller;
  readonly deadline: Deadline;
  /** Where what happens to it is reported, in a window. */
  readonly record?: RecordedCall | undefined;
}

/** Which tools exist, and which of them are on. */
export interface Offer {
  readonly isOn: (tool: ToolDefinition) => boolean;
  /** The project's custom tools, listed after DevDB's. If two share a name, the last one is found. */
  readonly ownTools?: readonly ToolDefinition[];
}

export interface DispatchParts extends Offer {
  readonly projectRoot: string;
  /** What the person at the editor runs: listed nowhere, and found by no other caller. */
  readonly personTools?: readonly ToolDefinition[];
  /** A timeout that neither the input nor the definition states; undefined where theirs apply. */
  readonly timeoutOf?: (tool: ToolDefinition, input: Record<string, unknown>, caller: Caller) => number | undefined;
  /** Throws when policy forbids the call. */
  readonly policy: (tool: ToolDefinition, input: Record<string, unknown>, call: Call) => Promise<void>;
  readonly runnerOf: (tool: ToolDefinition) => Run;
  /** Where a call waits while too many answers are unread. */
  readonly answers: AnswerRoom;
  /** Records the calls of agents; nothing where no person looks. */
  readonly activity?: Activity | undefined;
  /** `debugFacts` hold SQL and values, for users who have switched on debug logging. */
  readonly log: (
    level: 'info' | 'error',
    event: string,
    facts: Readonly<Record<string, unknown>>,
    debugFacts?: Readonly<Record<string, unknown>>,
  ) => void;
}

interface LoggedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
}

/** The one gate: find, parse the input, policy, deadline, run, parse the output, map the error, one log line. */
export class Dispatch implements Gate {
  readonly #parts: DispatchParts;
  readonly #alarms = new Alarms();
  readonly projectRoot: string;
  readonly #ownTools = new Map<string, ToolDefinition>();
  #tools: readonly ToolDefinition[] = [];

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.projectRoot = parts.projectRoot;
    this.offer(parts);
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  /** Takes effect with the next call; a running tool that is now off still runs to its end. */
  offer({ isOn, ownTools = [] }: Offer): void {
    this.#tools = [...allTools, ...ownTools].filter(isOn);
    this.#ownTools.clear();
    for (const tool of ownTools) {
      for (const name of [tool.name, ...(tool.aliases ?? [])]) this.#ownTools.set(name, tool);
    }
  }

  async run(name: string, rawInput: unknown, caller: Caller): Promise<Envelope> {
    const started = performance.now();
    const arrived = new Date();
    const requestId = newRequestId();
    const meta = (): Meta => ({
      requestId,
      timestamp: arrived.toISOString(),
      duration: Math.round(msSince(started) * 10) / 10,
    });
    const record = this.#record(name, rawInput, caller, { id: requestId, arrived });
    try {
      const tool = this.#find(name, caller);
      const data = await this.#runTool(tool, rawInput, caller, record);
      const envelope: Envelope = { ok: true, type: 'success', data, meta: meta() };
      record?.end({ ms: envelope.meta.duration, data });
      this.#logCall({ tool: tool.name, input: rawInput, caller }, 'ok', envelope.meta, data);
      return envelope;
    } catch (error) {
      const wire = toWire(error);
      const envelope: Envelope = { ok: false, type: 'error', error: wire, meta: meta() };
      record?.end({ ms: envelope.meta.duration, error: wire });
      if (wire.code === 'E_INTERNAL') this.#parts.log('error', 'call-failed', { tool: name, requestId, error });
      this.#logCall({ tool: name, input: rawInput, caller }, wire.code, envelope.meta, undefined);
      return envelope;
    }
  }

  #record(
    name: string,
    input: unknown,
    { door, clientName: client }: Caller,
    facts: { readonly id: string; readonly arrived: Date },
  ): RecordedCall | undefined {
    if (door === 'editor') return undefined;
    const { activity, projectRoot: root } = this.#parts;
    const known = findTool(name) ?? this.#ownTools.get(name);
    const { name: tool, title } = known ?? { name: name.slice(0, MAX_LOGGED_NAME_CHARS), title: 'Unknown tool' };
    return activity?.begin({ ...facts, tool, title, door, client, root, input });
  }

  #find(name: string, { door }: Caller): ToolDefinition {
    const ofPerson = this.#parts.personTools?.find((one) => one.name === name);
    if (ofPerson !== undefined && door === 'editor') return ofPerson;
    const tool = findTool(name) ?? this.#ownTools.get(name);
    if (!tool) {
      throw new AppError('E_UNKNOWN_TOOL', `Unknown tool: ${name}`, { hint: 'tools/list has the names.' });
    }
    // Which tools agents get is no limit for the person who chose them.
    if (door !== 'editor' && !this.tools.includes(tool)) {
      throw new AppError('E_DISABLED', `The tool ${tool.name} is switched off.`, {
        hint: 'Its toolset is chosen by the settings Devdb.mcp.toolsets and Devdb.mcp.disabledTools; a tool of the project says mcp.enabled in its file.',
      });
    }
    return tool;
  }

  async #runTool(
    tool: ToolDefinition,
    rawInput: unknown,
    caller: Caller,
    record: RecordedCall | undefined,
  ): Promise<unknown> {
    const input = parseInput(tool, rawInput);
    const deadline = new Deadline(tool, this.#timeoutOf(tool, input, caller), caller.signal, this.#alarms);
    record?.stoppable((reason) => deadline.stop(reason));
    try {
      const call = { caller, deadline, record };
      await this.#admit(tool, input, call);
      try {
        if (isEditorChange(tool) && tool.approval?.changes?.(input) !== false) record?.changes();
        const raw = await deadline.outcomeOf(this.#parts.runnerOf(tool)(input, call));
        return parseOutput(tool, raw);
      } finally {
        this.#parts.answers.leave();
      }
    } catch (error) {
      throw onlyDeclared(tool, error);
    } finally {
      deadline.end();
    }
  }

  /** Returns when the call may run; room for its answer is then reserved until it leaves. */
  async #admit(tool: ToolDefinition, input: Record<string, unknown>, call: Call): Promise<void> {
    const { policy, answers } = this.#parts;
    const { signal } = call.deadline;
    try {
      await policy(tool, input, call);
      signal.throwIfAborted();
      if (!answers.tryEnter()) await answers.enter(signal);
    } catch (error) {
      throw isEditorChange(tool) ? notBegun(error) : error;
    }
  }

  #timeoutOf(tool: ToolDefinition, input: Record<string, unknown>, caller: Caller): number {
    return this.#parts.timeoutOf?.(tool, input, caller) ?? timeoutOf(tool, input, caller);
  }

  #logCall({ tool, input, caller }: LoggedCall, code: ErrorCode | 'ok', meta: Meta, data: unknown): void {
    const rows = typeof data === 'object' && data !== null && 'rowCount' in data ? { rows: data.rowCount } : {};
    const { door, clientName: client } = caller;
    const facts = {
      // The name of an unknown tool is whatever the caller sent.
      tool: tool.slice(0, MAX_LOGGED_NAME_CHARS),
      door,
      client,
      code,
      ms: meta.duration,
      requestId: meta.requestId,
      ...rows,
    };
    this.#parts.log('info', 'call', facts, { input });
  }
}

function timeoutOf(tool: ToolDefinition, input: Record<string, unknown>, caller: Caller): number {
  if (tool.deadlineMs !== undefined) return tool.deadlineMs(input);
  const own = input['timeoutMs'];
  return typeof own === 'number' ? own : (caller.defaultTimeoutMs ?? tool.timeoutMs);
}

function parseOutput(tool: ToolDefinition, raw: unknown): unknown {
  // Rows as text come from the encoder, which guarantees their cells; only the rest is parsed.
  const facts = withoutRowsText(raw);
  const parsed = tool.output.safeParse(facts === undefined ? raw : { ...facts, rows: [] });
  if (parsed.success) return facts === undefined ? parsed.data : raw;
  throw new Error(`${tool.name} returned a result that does not match its definition: ${parsed.error.message}`);
}

/** A code that the definition does not declare is our bug, not an answer. */
function onlyDeclared(tool: ToolDefinition, error: unknown): unknown {
  if (!(error instanceof AppError) || mayAnswer(tool, error.code)) return error;
  return new Error(`${tool.name} threw ${error.code}, which its definition does not declare`, { cause: error });
}
