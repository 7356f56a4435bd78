import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type CommandContext, UsageError } from '../cli/command.ts';
import { doctorCommand } from '../cli/doctor-command.ts';
import { mcpHelp } from '../cli/mcp-help.ts';
import { roleCommand } from '../cli/role-command.ts';
import { sentenceOf } from '../cli/sentence-of.ts';
import { serveCommand } from '../cli/serve.ts';
import { setupCommand } from '../cli/setup-command.ts';
import { statusCommand } from '../cli/status-command.ts';
import { trustCommand } from '../cli/trust-command.ts';
import { uninstallCommand } from '../cli/uninstall-command.ts';
import { composeHeadless, composeWindow } from '../compose.ts';
import { type EntryOptions, runEntry } from '../host/bundle-entry.ts';
import { hasCode } from '../host/error-code.ts';
import { homeFromEnv } from '../host/home.ts';
import { forgetProjectPrograms } from '../host/programs.ts';
import { VERSION } from '../host/version.ts';
import { pruneCopies, useCopy } from '../registry/copy-in-use.ts';
import { windowCommand } from '../window/window-command.ts';

const COMMANDS: readonly Command[] = [
  mcpHelp,
  serveCommand(composeHeadless),
  doctorCommand,
  statusCommand,
  setupCommand,
  trustCommand,
  roleCommand,
  windowCommand(composeWindow),
  uninstallCommand,
];

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Every command but the stdio entry. Sets the exit code; the process ends when nothing is left to do. */
export async function main({ argv, bundleDir }: EntryOptions): Promise<void> {
  // Every process that DevDB starts inherits this environment.
  forgetProjectPrograms(process.env);
  const context: CommandContext = {
    bundleDir,
    env: process.env,
    home: homeFromEnv(process.env),
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  };
  const output = watchOutput(context);
  const code = await run(argv, context);
  process.exitCode = output.lost ? EXIT_FAILED : code;
}

/** A reader that closes early (`| head`) is not a failure; losing output for another reason is. */
function watchOutput({ complain }: CommandContext): { readonly lost: boolean } {
  const output = { lost: false };
  // No reader remains.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error) => {
    if (output.lost || hasCode(error, 'EPIPE')) return;
    output.lost = true;
    process.exitCode = EXIT_FAILED;
    complain(`devdb: the output could not be written: ${error.message}.`);
  });
  return output;
}

async function run(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') return say(context, VERSION);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(context, overview());
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    context.complain(`devdb: unknown command "${name}".\n\n${overview()}`);
    return EXIT_USAGE;
  }
  if (rest.includes('--help') || rest.includes('-h')) return say(context, helpOf(command));
  return runCommand(command, rest, context);
}

async function runCommand(command: Command, args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const { options, takesWords = false } = command;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: takesWords });
    const run = () => command.run(new Map(Object.entries(values)), positionals, context);
    return command.runsFromCopy ? await runFromCopy(command, args, context, run) : await run();
  } catch (error) {
    if (error instanceof UsageError || isParseError(error)) {
      context.complain(`devdb ${command.name}: ${error.message}\n\n${helpOf(command)}`);
      return EXIT_USAGE;
    }
    context.complain(`devdb ${command.name}: ${sentenceOf(error)}`);
    return EXIT_FAILED;
  }
}

/** A long-running command runs from a copy that no update deletes; while it runs, the copy is not pruned. */
async function runFromCopy(
  command: Command,
  args: readonly string[],
  { home, bundleDir }: CommandContext,
  run: () => Promise<number>,
): Promise<number> {
  const copy = await useCopy({ home, bundleDir, version: VERSION }, new AbortController().signal);
  try {
    if (copy.dir !== bundleDir) {
      await runEntry(join(copy.dir, 'commands.js'), { bundleDir: copy.dir, argv: [command.name, ...args] });
      // The run from the copy has set it.
      return Number(process.exitCode ?? 0);
    }
    await pruneCopies(home, copy.dir);
    return await run();
  } finally {
    copy.close();
  }
}

function say(context: CommandContext, text: string): number {
  context.print(text);
  return 0;
}

function overview(): string {
  const shown = COMMANDS.filter((command) => !command.hidden);
  const width = Math.max(...shown.map((command) => command.name.length));
  const rows = shown.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    `DevDB ${VERSION}: the database of the project that is open in VS Code, for coding agents.`,
    '',
    'Usage: devdb <command> [options]',
    '',
    ...rows,
    '',
    'devdb <command> --help tells more; devdb --version prints the version.',
    'DEVDB_HOME replaces ~/.devdb; DEVDB_LOG_LEVEL is error, info (default) or debug;',
    'DEVDB_FIRST_PORT is where the search for a free port begins instead of 50001;',
    'DEVDB_CONTAINERS=off asks neither Docker nor Podman for the ports of running containers.',
  ].join('\n');
}

function helpOf(command: Command): string {
  return [`Usage: devdb ${command.usage}`, '', command.summary, '', ...command.help].join('\n');
}

function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
