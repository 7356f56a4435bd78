/** Names that the stdio entry and a sidecar must agree on, even across versions: only added to, never changed. */
export const API_VERSION = 1;

/** Where every sidecar listens. */
export const LOOPBACK = '127.0.0.1';

export const HEADERS = {
  /** Percent-encoded UTF-8. A sidecar of another project answers 421. */
  projectRoot: 'x-devdb-project-root',
  /** Random per stdio process or MCP session: the scope of "for this session". */
  clientId: 'x-devdb-client-id',
  clientName: 'x-devdb-client-name',
  /** `1` when the caller answers `ask` lines at POST /asks/:id. */
  canAsk: 'x-devdb-can-ask',
  /** Default timeout in milliseconds, for calls that do not state one. */
  defaultTimeout: 'x-devdb-default-timeout',
  /** `auto`, `always` or `never`: whether a success over MCP carries structuredContent. */
  structured: 'x-devdb-structured',
  /** `.mcp.json` when a client's configuration comes from the file that DevDB writes in each project. */
  from: 'x-devdb-from',
  /** In the answer to an upgrade: proves that this side has the token. */
  proof: 'x-devdb-proof',
  /** In the same answer: the sidecar's version. */
  version: 'x-devdb-version',
} as const;

/** The same headers as client configurations spell them. */
export const WRITTEN_HEADERS = { projectRoot: 'X-DevDB-Project-Root', from: 'X-DevDB-From' } as const;

/** An argument of the stdio entry: marks the entry from a project's `.mcp.json`. */
export const FROM_MCP_JSON = '--from-mcp-json';

/** GET here with `Upgrade: devdb-calls/1` turns the connection into a link that carries calls: see calls.ts. */
export const CALLS_PATH = '/calls';
export const CALLS_PROTOCOL = 'devdb-calls/1';

export const NDJSON = 'application/x-ndjson';
