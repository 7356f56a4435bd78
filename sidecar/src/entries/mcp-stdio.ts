import { instructionsFor } from '@devdb/shared/instructions';
import { SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';
import { once } from '@devdb/shared/once';
import { TOOLSETS } from '@devdb/shared/tools/toolsets';
import type { EntryOptions } from '../host/bundle-entry.ts';
import { homeFromEnv } from '../host/home.ts';
import { VERSION } from '../host/version.ts';
import { isOn, parseStdioOptions, STDIO_USAGE, type StdioOptions } from '../stdio/options.ts';
import { serve } from '../stdio/serve.ts';
import type { RunTool } from '../stdio/tool-call.ts';
import type { ToolCaller } from '../stdio/tool-caller.ts';
import { ToolList } from '../stdio/tool-list.ts';

/** `devdb mcp`: MCP on standard input and output, forwarded to the open windows. Ends the process itself. */
export function main({ bundleDir, argv: given }: EntryOptions): void {
  // The launcher already is this command, but people still add the command's name.
  const argv = given[0] === 'mcp' ? given.slice(1) : given;
  const told = tellsOnly(argv);
  if (told !== undefined) {
    process.stdout.write(`${told}\n`);
    return;
  }
  const parsed = parseStdioOptions(argv);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problem}\n${STDIO_USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const tools = new ToolList(bundleDir, parsed.options);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const serving = serve(
    {
      input: process.stdin,
      output: process.stdout,
      tools,
      runTool: lazyRunTool(parsed.options, tools),
      version: VERSION,
      structured: parsed.options.structured,
      instructions: instructionsFor(
        'stdio',
        TOOLSETS.filter((toolset) => isOn(toolset, parsed.options)),
      ),
      report: (error) => process.stderr.write(`devdb mcp: ${error instanceof Error ? error.stack : String(error)}\n`),
    },
    stop.signal,
  );
  endProcess(serving, stop.signal);
}

/** Printed when a person starts the launcher by hand. */
function tellsOnly([first]: readonly string[]): string | undefined {
  if (first === '--help' || first === '-h') return STDIO_USAGE;
  if (first === '--version' || first === '-v') return VERSION;
  return undefined;
}

/** Exits with 0 once everything is handed over; does not wait for a client that no longer reads. */
function endProcess(serving: Promise<void>, stopped: AbortSignal): void {
  const hardStop = () => setTimeout(() => process.exit(0), SHUTDOWN_GRACE_MS).unref();
  stopped.addEventListener('abort', hardStop, { once: true });
  process.stdin.once('end', hardStop);
  void serving.then(() => process.exit(0));
}

/** HTTP and crypto load after the first answer: `initialize` needs neither. */
function lazyRunTool({ timeoutMs }: StdioOptions, tools: ToolList): RunTool {
  const loading = once(async () => {
    // Read while the bundle certainly exists: an update may remove this copy while the process runs.
    tools.load();
    const { ToolCaller } = await import('../stdio/tool-caller.ts');
    return new ToolCaller({ home: homeFromEnv(process.env), version: VERSION, platform: process.platform, timeoutMs });
  });
  // A failure here repeats in the call that needs it, and is reported there.
  const preload = () => loading().catch(() => undefined);
  process.stdin.once('data', () => setImmediate(preload));
  let caller: ToolCaller | undefined;
  return async (call) => {
    caller ??= await loading();
    return await caller.run(call);
  };
}
