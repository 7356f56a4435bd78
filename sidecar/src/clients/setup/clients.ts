import { posix, win32 } from 'node:path';
import { CLIENT_TITLES, type SetupClient } from '@devdb/shared/protocol/setup-clients';

/** The user's machine, as far as configuration files are concerned. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's own home folder, not DevDB's. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a client starts the server, or where it finds it. */
export type Server =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface ClientFile {
  readonly title: string;
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The object or table that holds the servers. */
  readonly group: string;
  readonly entry: (server: Server) => Record<string, unknown>;
  /** How this client's files refer to an environment variable. */
  readonly variable: (name: string) => string;
  /** The file holds much more than servers, so its previous content is kept beside it. */
  readonly keepsBackup?: boolean;
}

/** Where a client stores its servers for all projects, and in which form. */
export function clientFile(client: SetupClient, machine: Machine): ClientFile {
  const { join } = machine.platform === 'win32' ? win32 : posix;
  const { userHome, env } = machine;
  switch (client) {
    case 'claude': {
      const path = join(env['CLAUDE_CONFIG_DIR'] || userHome, '.claude.json');
      return {
        title: CLIENT_TITLES.claude,
        path,
        format: 'json',
        group: 'mcpServers',
        entry: typedEntry,
        variable: shellStyle,
        keepsBackup: true,
      };
    }
    case 'cursor': {
      const path = join(userHome, '.cursor', 'mcp.json');
      return {
        title: CLIENT_TITLES.cursor,
        path,
        format: 'json',
        group: 'mcpServers',
        entry: untypedEntry('url'),
        variable: envStyle,
      };
    }
    case 'vscode': {
      const path = join(vscodeUserFolder(machine), 'mcp.json');
      return {
        title: CLIENT_TITLES.vscode,
        path,
        format: 'json',
        group: 'servers',
        entry: typedEntry,
        variable: envStyle,
      };
    }
    case 'windsurf': {
      const path = join(userHome, '.codeium', 'windsurf', 'mcp_config.json');
      const entry = untypedEntry('serverUrl');
      return { title: CLIENT_TITLES.windsurf, path, format: 'json', group: 'mcpServers', entry, variable: envStyle };
    }
    case 'codex': {
      const path = join(env['CODEX_HOME'] || join(userHome, '.codex'), 'config.toml');
      return {
        title: CLIENT_TITLES.codex,
        path,
        format: 'toml',
        group: 'mcp_servers',
        entry: codexEntry,
        variable: shellStyle,
      };
    }
  }
}

function vscodeUserFolder({ platform, userHome, env }: Machine): string {
  if (platform === 'win32')
    return win32.join(env['APPDATA'] || win32.join(userHome, 'AppData', 'Roaming'), 'Code', 'User');
  if (platform === 'darwin') return posix.join(userHome, 'Library', 'Application Support', 'Code', 'User');
  return posix.join(env['XDG_CONFIG_HOME'] || posix.join(userHome, '.config'), 'Code', 'User');
}

function typedEntry(server: Server): Record<string, unknown> {
  if (server.kind === 'http') return { type: 'http', url: server.url, headers: server.headers };
  return { type: 'stdio', ...started(server) };
}

function untypedEntry(urlKey: string): (server: Server) => Record<string, unknown> {
  return (server) => (server.kind === 'http' ? { [urlKey]: server.url, headers: server.headers } : started(server));
}

function codexEntry(server: Server): Record<string, unknown> {
  return server.kind === 'http' ? { url: server.url, http_headers: server.headers } : started(server);
}

function started({ command, args, env }: Extract<Server, { kind: 'stdio' }>): Record<string, unknown> {
  return { command, args, ...(env === undefined ? {} : { env }) };
}

function shellStyle(name: string): string {
  return `\${${name}}`;
}

function envStyle(name: string): string {
  return `\${env:${name}}`;
}
