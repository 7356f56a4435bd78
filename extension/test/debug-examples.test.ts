import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { allTools } from '@devdb/shared/tools';
import * as z from 'zod';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { type Data, DebugAgent } from './helpers/debug-agent.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { offerTest } from './helpers/offer-test.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';

const CASES = allTools.flatMap(({ name, toolset, examples }) =>
  toolset === 'debug' || toolset === 'trace'
    ? examples
        .filter(({ given }) => given !== 'a window to reload')
        .map(({ input, given, gives }) => [name, input, given, gives] as const)
    : [],
);
/** An example has these for what an earlier answer gave. */
const SOME: readonly unknown[] = [1, 'the session'];

const stopped = z.looseObject({ frameId: z.int(), sessionId: z.string() });
const scoped = z.object({ scopes: z.array(z.object({ variablesReference: z.int() })) });

describeEditor('what the examples of the debugger say', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    sample = await startOnSample({ machineSettings: { 'Devdb.approvals': 'allow' } }, addExampleFiles);
    agent = await DebugAgent.start(sample, ['--timeout', '120000']);
    await offerTest(sample);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  /** Stops the program of the examples in its loop; answers what they may refer to. */
  async function pause(): Promise<Data> {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 3 });
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    await agent.call('debug_start', { program: 'src/loop.js', wait: true, timeoutMs: 120_000 });
    const { frameId, sessionId } = stopped.parse(await agent.call('debug_step_over', { timeoutMs: 120_000 }));
    const { scopes } = scoped.parse(await agent.call('debug_scopes', { frameId }));
    return { frameId, variablesReference: scopes[0]?.variablesReference, sessionA: sessionId, sessionB: sessionId };
  }

  test.each(CASES)('%s %j, given %s: %s', async (name, input, given, gives) => {
    // Only what an example makes: the editor takes the breakpoints away of a file that goes.
    rmSync(join(sample.root, 'out', 'list.jsonl'), { force: true });
    const known = given === 'a paused program' ? await pause() : {};
    const filled = Object.entries(input).map(([key, value]) => [
      key,
      SOME.includes(value) ? (known[key] ?? value) : value,
    ]);
    const code = await agent.code(name, Object.fromEntries(filled));
    if (given !== undefined || name === 'breakpoint_set') await agent.reset();
    expect(code).toBe(gives);
  });
});
