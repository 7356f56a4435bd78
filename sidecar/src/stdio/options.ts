import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { FROM_MCP_JSON } from '@devdb/shared/protocol/http';
import { isStructuredMode, STRUCTURED_MODES, type StructuredMode } from '@devdb/shared/structured-clients';
import { DEFAULT_TOOLSETS, isChosen, TOOLSETS } from '@devdb/shared/tools/toolsets';

/** The command line of `devdb mcp`. */
export interface StdioOptions {
  /** Undefined means the default toolsets. */
  readonly toolsets?: readonly string[] | undefined;
  /** Default timeout in milliseconds, for calls that do not state one. */
  readonly timeoutMs?: number | undefined;
  /** Whether a success carries its structured form; by the client's name when undefined. */
  readonly structured?: StructuredMode | undefined;
  /** Started from the file that DevDB writes in each project. */
  readonly fromMcpJson?: boolean | undefined;
}

export type ParsedOptions =
  | { readonly ok: true; readonly options: StdioOptions }
  | { readonly ok: false; readonly problem: string };

export const STDIO_USAGE = `usage: devdb mcp [--toolsets a,b] [--timeout MS] [--structured MODE] [--from-mcp-json]
  Serves MCP on standard input and output. Every tool takes projectRoot and reaches the window that has it open.
  --toolsets  which tools are offered: ${TOOLSETS.join(', ')} (default: ${DEFAULT_TOOLSETS.join(',')})
  --timeout   milliseconds after which a call that states no time-out ends, 1 to ${MAX_QUERY_TIMEOUT_MS}
  --structured  whether answers carry structuredContent beside their text: ${STRUCTURED_MODES.join(', ')} (default: auto,
              which leaves it out for clients that show their model nothing else)
  ${FROM_MCP_JSON}  stands in the .mcp.json of a project: VS Code, which has the tools from the extension, gets none twice`;

/** Whether a toolset is offered. */
export function isOn(toolset: string, options: StdioOptions): boolean {
  return isChosen(toolset, options.toolsets ?? DEFAULT_TOOLSETS);
}

/** Reads `--name value` and `--name=value`. */
export function parseStdioOptions(argv: readonly string[]): ParsedOptions {
  let options: StdioOptions = {};
  const rest = argv.flatMap((arg) => (arg.startsWith('--') && arg.includes('=') ? splitOnce(arg) : [arg]));
  while (rest.length > 0) {
    const name = rest.shift();
    if (name === FROM_MCP_JSON) {
      options = { ...options, fromMcpJson: true };
      continue;
    }
    const read = name === undefined ? undefined : READERS[name];
    if (read === undefined) return problem(`devdb mcp does not know ${name}.`);
    const value = rest.shift();
    if (value === undefined || value.startsWith('--')) return problem(`${name} needs a value.`);
    const parsed = read(value);
    if (!parsed.ok) return parsed;
    options = { ...options, ...parsed.options };
  }
  return { ok: true, options };
}

const READERS: Readonly<Record<string, ((value: string) => ParsedOptions) | undefined>> = {
  '--toolsets': readToolsets,
  '--timeout': readTimeout,
  '--structured': readStructured,
};

function splitOnce(arg: string): [string, string] {
  const at = arg.indexOf('=');
  return [arg.slice(0, at), arg.slice(at + 1)];
}

function readToolsets(value: string): ParsedOptions {
  const toolsets = value.split(',').map((part) => part.trim());
  const unknown = toolsets.find((name) => !TOOLSETS.some((toolset) => toolset === name));
  if (unknown !== undefined) return problem(`--toolsets: no toolset "${unknown}". There are ${TOOLSETS.join(', ')}.`);
  return { ok: true, options: { toolsets } };
}

function readTimeout(value: string): ParsedOptions {
  const timeoutMs = Number(value);
  if (!/^\d+$/.test(value) || timeoutMs < 1 || timeoutMs > MAX_QUERY_TIMEOUT_MS)
    return problem(`--timeout must be whole milliseconds from 1 to ${MAX_QUERY_TIMEOUT_MS}, not "${value}".`);
  return { ok: true, options: { timeoutMs } };
}

function readStructured(value: string): ParsedOptions {
  if (isStructuredMode(value)) return { ok: true, options: { structured: value } };
  return problem(`--structured takes ${STRUCTURED_MODES.join(', ')}, not "${value}".`);
}

function problem(sentence: string): ParsedOptions {
  return { ok: false, problem: sentence };
}
