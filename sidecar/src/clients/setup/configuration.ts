import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SetupClient } from '@devdb/shared/protocol/setup-clients';
import { readIfThere } from '../../host/read-file.ts';
import { targetWithin } from '../../host/replace-file.ts';
import type { Secret } from '../../host/secret.ts';
import { isInWorkingTree } from '../git/git-facts.ts';
import { addWithClaude, claudeAddArgs, claudeOnPath } from './claude-cli.ts';
import { type ClientFile, clientFile, type Machine, type Server } from './clients.ts';
import type { NodeCommand } from './fit-node.ts';
import { httpServer } from './http-server-entry.ts';
import { jsonEntry } from './jsonc-edit.ts';
import { edited, mergeIntoFile, SERVER_NAME, tomlLines } from './merge-file.ts';

/** The window or `devdb serve` that an HTTP configuration points to. */
export interface HttpTarget {
  readonly projectRoot: string;
  readonly port: number;
  readonly token: Secret;
}

export interface SetupOptions extends Machine {
  readonly client: SetupClient;
  /** Change the client's file, or only print the configuration. */
  readonly write: boolean;
  /** The launcher, whose path never changes. */
  readonly launcher: string;
  readonly node: NodeCommand;
  /** Present with --http. */
  readonly http?: HttpTarget | undefined;
  readonly signal: AbortSignal;
}

export interface SetupOutcome {
  readonly exitCode: 0 | 1;
  readonly stdout: string;
  readonly stderr: string;
}

const TOKEN_VARIABLE = 'DEVDB_TOKEN';
const NO_PROOF =
  'Over HTTP the client sends the token to whatever listens on that port, even after DevDB has stopped; over stdio DevDB makes the other side prove its identity first.';

/** `devdb setup <client>`: prints the client's configuration, or merges it into the client's own file. */
export async function setup(options: SetupOptions): Promise<SetupOutcome> {
  const file = clientFile(options.client, options);
  return options.write ? writeSetup(file, options) : printSetup(file, options);
}

function printSetup(file: ClientFile, options: SetupOptions): SetupOutcome {
  // Printed text ends up in scrollbacks and transcripts, so the token is a variable there.
  const server = serverOf(options, file.variable(TOKEN_VARIABLE));
  const entry = file.entry(server);
  const snippet =
    file.format === 'json'
      ? JSON.stringify({ [file.group]: { [SERVER_NAME]: entry } }, null, 2)
      : [`[${file.group}.${SERVER_NAME}]`, ...tomlLines(entry)].join('\n');
  const lines = [`${file.title}: put this into ${file.path}, or run the same command with --write.`, '', snippet];
  if (options.client === 'claude' && server.kind === 'stdio')
    lines.unshift(
      `${file.title}: run`,
      '',
      shellWords(['claude', ...claudeAddArgs(server)], options.platform),
      '',
      'or,',
    );
  if (server.kind === 'http')
    lines.push(
      '',
      `${TOKEN_VARIABLE} must hold the contents of the file token in DevDB's home folder when ${file.title} starts.`,
      NO_PROOF,
    );
  return done(lines.join('\n'), missingLauncher(options));
}

async function writeSetup(file: ClientFile, options: SetupOptions): Promise<SetupOutcome> {
  if (options.http !== undefined && [file.path, targetWithin([options.userHome], file.path).file].some(isInGitTree)) {
    const reason = `${file.path} is in a Git working tree, where a token does not belong.`;
    return failed(`${reason} Run the command without --write and use the variable it shows.`);
  }
  const server = serverOf(options, options.http?.token.open() ?? '');
  const entry = file.entry(server);
  const claude = options.client === 'claude' && server.kind === 'stdio' ? claudeOnPath(options) : undefined;
  if (claude !== undefined && server.kind === 'stdio') return writeWithClaude(claude, file, server, options);
  const merge = mergeIntoFile(file, options.userHome, entry);
  if (!merge.ok) return failed(merge.problem);
  const sentence = merge.changed ? written(file, file.path) : unchanged(file);
  return done(server.kind === 'http' ? `${sentence}\n${NO_PROOF}` : sentence, missingLauncher(options));
}

/** Claude Code changes its file all the time, so its own command makes the change where it is installed. */
async function writeWithClaude(
  claude: string,
  file: ClientFile,
  server: Extract<Server, { kind: 'stdio' }>,
  options: SetupOptions,
): Promise<SetupOutcome> {
  const text = readIfThere(file.path) ?? '';
  const edit = edited(file, text, file.entry(server));
  if (!edit.ok) return failed(`${file.path}:${edit.line} was left unchanged: ${edit.reason}.`);
  if (edit.text === text || isSame(jsonEntry(text, file.group, SERVER_NAME), file.entry(server)))
    return done(unchanged(file), missingLauncher(options));
  const { env, userHome, signal } = options;
  const problem = await addWithClaude(claude, server, {
    replace: jsonEntry(text, file.group, SERVER_NAME) !== undefined,
    env,
    userHome,
    signal,
  });
  if (problem !== undefined) return failed(problem);
  return done(written(file, 'claude mcp add --scope user'), missingLauncher(options));
}

/** Claude Code's command writes an empty `env` where there is none. */
function isSame(present: unknown, wanted: Record<string, unknown>): boolean {
  if (typeof present !== 'object' || present === null) return false;
  return JSON.stringify({ env: {}, ...present }) === JSON.stringify({ env: {}, ...wanted });
}

function serverOf({ http, node, launcher }: SetupOptions, token: string): Server {
  if (http === undefined) return { kind: 'stdio', command: node.command, args: [launcher], env: node.env };
  return httpServer(http, token);
}

function isInGitTree(path: string | undefined): boolean {
  return path !== undefined && isInWorkingTree(dirname(path));
}

function missingLauncher({ launcher, http }: SetupOptions): string {
  if (http !== undefined || existsSync(launcher)) return '';
  return `${launcher} does not exist yet: open a project in VS Code with the DevDB extension once, or run devdb serve.`;
}

function written({ title }: ClientFile, how: string): string {
  return `${title} now has ${SERVER_NAME} (${how}). Restart it, or reload its MCP servers.`;
}

function unchanged({ title, path }: ClientFile): string {
  return `${title} has ${SERVER_NAME} already (${path}); nothing was changed.`;
}

function done(stdout: string, stderr: string): SetupOutcome {
  return { exitCode: 0, stdout, stderr };
}

function failed(stderr: string): SetupOutcome {
  return { exitCode: 1, stdout: '', stderr };
}

function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => quoted(word, platform)).join(' ');
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return /^[\w.:\\/=@-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w.:/=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
