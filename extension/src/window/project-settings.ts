import type { ApprovalsPolicy, ProjectSettings, TokenlessPolicy } from '@devdb/shared/protocol/handshake';
import { DEFAULT_TOOLSETS, TOOLSETS } from '@devdb/shared/tools/toolsets';

const WRITES = ['ask', 'allow', 'deny'] as const;
const APPROVALS = ['ask', 'always', 'allow', 'deny'] as const satisfies readonly ApprovalsPolicy[];
const TOKENLESS = ['off', 'read', 'all'] as const satisfies readonly TokenlessPolicy[];
const ENTRIES = ['stdio', 'http', 'off'] as const;
const LAST_PORT = 65_535;

/**
 * A folder's settings from its settings files. These are written by hand, so any value may appear: an unknown one
 * counts as not set, and never loosens anything.
 */
export function projectSettingsOf(read: (name: string) => unknown, trusted: boolean): ProjectSettings {
  const port = read('http.port');
  const toolsets = read('mcp.toolsets');
  return {
    writes: oneOf(WRITES, read('database.writes')) ?? 'ask',
    approvals: oneOf(APPROVALS, read('approvals')) ?? 'ask',
    trusted,
    toolsets: Array.isArray(toolsets) ? TOOLSETS.filter((known) => toolsets.includes(known)) : [...DEFAULT_TOOLSETS],
    disabledTools: textsOf(read('mcp.disabledTools')),
    tokenless: oneOf(TOKENLESS, read('http.tokenless')) ?? 'off',
    mcpJson: {
      entry: oneOf(ENTRIES, read('mcpJson.entry')) ?? 'stdio',
      inGit: read('mcpJson.inGit') === true,
    },
    ...portRange(read('portStart'), read('portEnd')),
    ...(isPort(port) ? { fixedPort: port } : {}),
  };
}

/** Whether agents may read what commands write in terminals, so that it has to be kept. */
export function readsTerminals({ trusted, toolsets, disabledTools }: ProjectSettings): boolean {
  return trusted && toolsets.includes('ide') && !disabledTools.includes('get_terminal_text');
}

/** The problem with a value of `Devdb.http.port`, in a sentence; undefined when it is a port or not set. */
export function portProblem(value: unknown): string | undefined {
  if (value === undefined || value === null || isPort(value)) return undefined;
  return `Devdb.http.port is ${JSON.stringify(value)}, which is not a port (a whole number from 1 to ${LAST_PORT}); the project keeps its usual one.`;
}

/** The value, if it is one of the known ones. */
export function oneOf<const Known extends readonly string[]>(known: Known, value: unknown): Known[number] | undefined {
  return known.find((one) => one === value);
}

/** A range that is none counts as not set. */
function portRange(first: unknown, last: unknown): Pick<ProjectSettings, 'tokenlessPorts'> {
  return isPort(first) && isPort(last) && first <= last ? { tokenlessPorts: { first, last } } : {};
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => (typeof one === 'string' ? [one] : []));
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LAST_PORT;
}
