import { randomUUID } from 'node:crypto';
import { MAX_PARALLEL_CALLS } from '@devdb/shared/limits';
import { ChangingFile } from '../host/changing-file.ts';
import type { Home } from '../host/home.ts';
import { UnreadableFile } from '../host/read-file.ts';
import type { Secret } from '../host/secret.ts';
import { readToken } from '../host/token.ts';
import { ConnectionFailed } from '../registry/connection-failed.ts';
import { canonicalRoot } from '../registry/project-root.ts';
import { type RegistryEntries, readRegistry } from '../registry/read-registry.ts';
import { CallSlots } from './call-slots.ts';
import type { Params } from './messages.ts';
import { SidecarLinks } from './sidecar-links.ts';
import { type Target, targetNotOpen } from './target.ts';
import type { ToolCall } from './tool-call.ts';
import { badRoot, type Failure, failureResult, LOST, notOpen, UNREACHABLE } from './tool-results.ts';

export interface ToolCallerParts {
  readonly home: Home;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  /** Default timeout in milliseconds, for calls that do not state one. */
  readonly timeoutMs?: number | undefined;
}

/** Forwards calls to the sidecars named by the registry. Only links are kept between calls. */
export class ToolCaller {
  readonly #parts: ToolCallerParts;
  readonly #links: SidecarLinks;
  readonly #registry: ChangingFile<RegistryEntries>;
  readonly #slots = new CallSlots(MAX_PARALLEL_CALLS);

  constructor(parts: ToolCallerParts) {
    this.#parts = parts;
    const { home, version, timeoutMs } = parts;
    this.#registry = new ChangingFile(home.registry, { read: () => readRegistry(home), absent: {} });
    const speaker = { clientId: randomUUID(), timeoutMs };
    this.#links = new SidecarLinks({ readToken: () => tokenOf(home), speaker, version });
  }

  /** The finished MCP result as JSON text. Rejects only when the call was cancelled. */
  async run(call: ToolCall): Promise<string> {
    const startedAt = Date.now();
    try {
      const outcome = await this.#slots.run(call.signal, () => this.#find(call));
      return typeof outcome === 'string' ? outcome : failureResult(outcome, startedAt);
    } catch (error) {
      return failureResult(failureOfHome(error), startedAt);
    }
  }

  #find(call: ToolCall): Failure | Promise<string | Failure> {
    const { tool, on } = call.tool;
    if (!on) return disabled(tool.name, tool.toolset);
    const { projectRoot: asked, ...input } = call.args;
    if (typeof asked !== 'string' || asked === '') return rootMissing(asked);
    const canonical = canonicalRoot(asked);
    if (!canonical.ok) return badRoot(asked, canonical.why, this.#parts.platform);
    const { root } = canonical;
    const text = stringify(input);
    if (text === undefined) return tooDeep();
    const entries = this.#registry.current();
    const port = Object.hasOwn(entries, root) ? entries[root] : undefined;
    if (port === undefined) return notOpen(asked, root, Object.keys(entries));
    return this.#forward(call, text, { port, root, asked, entries });
  }

  async #forward(call: ToolCall, input: string, target: Target): Promise<string | Failure> {
    try {
      return await this.#links.run(call, input, target);
    } catch (error) {
      if (call.signal.aborted) throw error;
      if (!(error instanceof ConnectionFailed)) throw error;
      if (error.wrongProject) return targetNotOpen(target);
      return error.sent && !call.tool.tool.readOnly ? LOST : UNREACHABLE;
    }
  }
}

function tokenOf(home: Home): Secret {
  const token = readToken(home);
  if (token === undefined)
    throw new ConnectionFailed('There is no token yet: no sidecar has run with this home folder.');
  return token;
}

function rootMissing(asked: unknown): Failure {
  const what = asked === undefined ? 'it is missing' : `it is ${asked === '' ? 'empty' : 'not a string'}`;
  return {
    code: 'E_INVALID_PARAMS',
    message: `projectRoot must be the absolute path of the project's root; ${what}.`,
    hint: 'Pass projectRoot, e.g. /Users/path/to/project.',
    details: { field: 'projectRoot' },
  };
}

/** Any other error is the call's. */
function failureOfHome(error: unknown): Failure {
  if (error instanceof UnreadableFile) return { code: 'E_INTERNAL', message: error.message, hint: error.hint };
  throw error;
}

function disabled(tool: string, toolset: string): Failure {
  return {
    code: 'E_DISABLED',
    message: `The tool ${tool} is off: this server does not offer the toolset ${toolset}.`,
    hint: `Start it with --toolsets, and ${toolset} among them.`,
  };
}

function tooDeep(): Failure {
  return {
    code: 'E_INVALID_PARAMS',
    message: 'The arguments are nested too deeply.',
    hint: 'tools/list has the fields of each tool; none is nested deeper than a list.',
  };
}

/** JSON text; undefined when the value is nested deeper than the stack allows. */
function stringify(value: Params): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
