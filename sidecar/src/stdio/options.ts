import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { FROM_MCP_JSON } from '@devdb/shared/protocol/http';
import { DEFAULT_TOOLSETS, isChosen, TOOLSETS } from '@devdb/shared/tools/toolsets';

/** What `devdb mcp` was told on its command line. */
export interface StdioOptions {
  /** Undefined means the toolsets that are on by default. */
  readonly toolsets?: readonly string[] | undefined;
  /** Default time-out in milliseconds for tools that state none of their own in the call. */
  readonly timeoutMs?: number | undefined;
  /** Started from the file that DevDB writes in each project. */
  readonly fromMcpJson?: boolean | undefined;
}

export type ParsedOptions =
  | { readonly ok: true; readonly options: StdioOptions }
  | { readonly ok: false; readonly problem: string };

export const STDIO_USAGE = `usage: devdb mcp [--toolsets a,b] [--timeout MS] [--from-mcp-json]
  Serves MCP on standard input and output. Every tool takes projectRoot and reaches the window that has it open.
  --toolsets  which tools are offered: ${TOOLSETS.join(', ')} (default: ${DEFAULT_TOOLSETS.join(',')})
  --timeout   milliseconds after which a call that states no time-out ends, 1 to ${MAX_QUERY_TIMEOUT_MS}
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
    if (name !== '--toolsets' && name !== '--timeout') return problem(`devdb mcp does not know ${name}.`);
    const value = rest.shift();
    if (value === undefined || value.startsWith('--')) return problem(`${name} needs a value.`);
    const read = name === '--toolsets' ? readToolsets(value) : readTimeout(value);
    if (!read.ok) return read;
    options = { ...options, ...read.options };
  }
  return { ok: true, options };
}

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
    return problem(`--timeout has to be whole milliseconds from 1 to ${MAX_QUERY_TIMEOUT_MS}, not "${value}".`);
  return { ok: true, options: { timeoutMs } };
}

function problem(sentence: string): ParsedOptions {
  return { ok: false, problem: sentence };
}
