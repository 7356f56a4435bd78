import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { DebugAgent } from './helpers/debug-agent.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';

describeEditor('an agent that debugs JavaScript', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    sample = await startOnSample({ machineSettings: { 'Devdb.approvals': 'allow' } }, addExampleFiles);
    agent = await DebugAgent.start(sample);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  afterEach(() => agent.reset());

  function write(file: string, text: string): void {
    const path = join(sample.root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  test('sets a breakpoint, starts, waits for the hit, looks, evaluates, steps and lets it run to its end', async () => {
    expect(await agent.call('breakpoint_add', { path: 'src/loop.js', line: 4 })).toMatchObject({
      breakpoint: { path: 'src/loop.js', line: 4, enabled: true, verified: false },
    });
    const started = await agent.call('debug_start', { program: 'src/loop.js' });
    expect(started).toMatchObject({ sessionName: 'loop.js', configuration: { request: 'launch' } });
    const hit = await agent.call('debug_wait_for_hit');
    expect(hit).toMatchObject({ event: 'stopped', reason: 'breakpoint', file: 'src/loop.js', line: 4 });
    expect(hit['source']).toContain('>4|   sum += list[i];');
    expect(hit['locals']).toContainEqual(expect.objectContaining({ name: 'i', value: '0' }));
    expect(await agent.call('debug_list_variables')).toMatchObject({ truncated: false });
    expect(await agent.call('debug_evaluate', { expression: 'list[1] + sum' })).toMatchObject({ result: '20' });
    expect(await agent.call('debug_step_over')).toMatchObject({ event: 'stopped', reason: 'step', line: 5 });
    expect(await agent.call('debug_continue')).toMatchObject({ line: 4, output: 'sum is 10\n' });
    await agent.call('breakpoint_remove', { path: 'src/loop.js', line: 4 });
    const end = await agent.call('debug_continue');
    expect(end).toMatchObject({ event: 'terminated', sessionId: started['sessionId'] });
    expect(end['output']).toContain('sum is 30\nsum is 60\ndone\n');
    expect(await agent.code('debug_continue')).toBe('E_NO_SESSION');
  });

  test('a breakpoint set through a link is that of the file, and none is set in what a link leads to outside the project', async () => {
    const outside = join(sample.editor.projects, 'outside.js');
    writeFileSync(outside, 'secret();\n');
    symlinkSync(outside, join(sample.root, 'leak.js'));
    symlinkSync(join(sample.root, 'src'), join(sample.root, 'linked'));
    for (const line of [1, 99])
      expect(await agent.code('breakpoint_set', { path: 'leak.js', line })).toBe('E_OUTSIDE_PROJECT');
    await agent.call('breakpoint_set', { path: 'linked/loop.js', line: 4 });
    const hit = await agent.call('debug_start', { program: 'src/loop.js', wait: true });
    expect(hit).toMatchObject({ event: 'stopped', reason: 'breakpoint', file: 'src/loop.js', line: 4 });
    expect(await agent.call('breakpoint_remove', { path: 'linked/loop.js', line: 4 })).toMatchObject({
      path: 'src/loop.js',
      removed: true,
    });
    rmSync(join(sample.root, 'leak.js'));
    rmSync(join(sample.root, 'linked'));
  });

  test('a condition, a hit count and a logpoint do what they say, and a breakpoint is changed in its place', async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4, condition: 'i === 2' });
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 5, logMessage: 'i is {i}' });
    expect(await agent.call('debug_start', { program: 'src/loop.js', wait: true })).toMatchObject({
      event: 'stopped',
      line: 4,
    });
    expect(await agent.call('debug_evaluate', { expression: 'i' })).toMatchObject({ result: '2' });
    const { breakpoints } = await agent.call('breakpoint_list');
    expect(breakpoints).toEqual([
      { path: 'src/loop.js', line: 4, condition: 'i === 2', enabled: true, verified: true },
      { path: 'src/loop.js', line: 5, logMessage: 'i is {i}', enabled: true, verified: true },
    ]);
    const end = await agent.call('debug_continue');
    expect(end).toMatchObject({ event: 'terminated' });
    expect(end['output']).toMatch(/i is 2/);
    await agent.call('breakpoint_clear_file', { path: 'src/loop.js' });
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4, hitCondition: '2' });
    expect(await agent.call('breakpoint_list')).toMatchObject({ total: 1 });
    await agent.call('debug_start', { program: 'src/loop.js', wait: true });
    expect(await agent.call('debug_evaluate', { expression: 'i' })).toMatchObject({ result: '1' });
  });

  test('a breakpoint in a program that runs says whether it is bound, and where it was moved to', async () => {
    write(
      'src/server.js',
      'const tick = () => {\n  // nothing here\n\n  return Date.now();\n};\nsetInterval(tick, 20);\n',
    );
    await agent.call('breakpoint_set', { path: 'src/server.js', line: 6 });
    await agent.call('debug_start', { program: 'src/server.js', wait: true });
    await agent.call('breakpoint_remove', { path: 'src/server.js', line: 6 });
    await agent.code('debug_continue', { timeoutMs: 100 });
    const hit = agent.call('debug_wait_for_hit');
    const set = await agent.call('breakpoint_set', { path: 'src/server.js', line: 2 });
    expect(set).toEqual({
      breakpoint: { path: 'src/server.js', line: 4, requestedLine: 2, enabled: true, verified: true },
    });
    expect(await hit).toMatchObject({
      line: 4,
      functionName: expect.stringContaining('tick'),
    });
    expect(await agent.call('breakpoint_set', { path: 'src/server.js', line: 2 })).toEqual(set);
    expect(await agent.call('breakpoint_list')).toMatchObject({ total: 1 });
    const other = await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    expect(other).toMatchObject({ breakpoint: { verified: false, message: expect.any(String) } });
    expect(await agent.call('breakpoint_remove', { path: 'src/server.js', line: 4 })).toMatchObject({ removed: true });
    expect(await agent.call('breakpoint_clear_project')).toEqual({ cleared: 1 });
    expect(await sample.window.run((vscode) => vscode.debug.breakpoints.length)).toBe(0);
  });

  test('stack, scopes and variables are real, and their references are refused once the program has run on', async () => {
    write(
      'src/deep.js',
      "function inner(word) {\n  const copy = { word, list: [1, [2, 3]] };\n  return copy;\n}\nfunction outer() {\n  return inner('hello');\n}\nouter();\nouter();\n",
    );
    await agent.call('breakpoint_set', { path: 'src/deep.js', line: 3 });
    await agent.call('debug_start', { program: 'src/deep.js', wait: true });
    const { frames, threadId } = z
      .object({ frames: z.array(z.looseObject({ frameId: z.int() })), threadId: z.int() })
      .parse(await agent.call('debug_stack', { levels: 3 }));
    expect(frames).toMatchObject([
      { functionName: expect.stringContaining('inner'), file: 'src/deep.js', line: 3 },
      { functionName: expect.stringContaining('outer'), file: 'src/deep.js', line: 6 },
      { file: 'src/deep.js', line: 8 },
    ]);
    expect(await agent.call('debug_threads')).toMatchObject({ threads: [{ threadId, paused: true }] });
    const frameId = frames[0]?.frameId;
    const { scopes } = z
      .object({ scopes: z.array(z.looseObject({ name: z.string(), variablesReference: z.int() })) })
      .parse(await agent.call('debug_scopes', { frameId }));
    const [local] = scopes;
    const page = await agent.call('debug_get_variable', { variablesReference: local?.variablesReference });
    expect(page['children']).toContainEqual(
      expect.objectContaining({ name: 'word', value: expect.stringContaining('hello') }),
    );
    const tree = JSON.stringify(await agent.call('variable_list', { scope: 'local', maxDepth: 4 }));
    expect(tree).toMatch(/"copy".*"list".*\[2, 3\]/);
    expect(
      await agent.call('debug_evaluate', { expression: 'typeof word', frameId: frames[1]?.frameId }),
    ).toMatchObject({ result: expect.stringContaining('undefined') });
    expect(await agent.call('variable_set', { name: 'word', value: '"bye"' })).toMatchObject({
      name: 'word',
      value: expect.stringContaining('bye'),
    });
    expect(await agent.call('debug_evaluate', { expression: 'word.length' })).toMatchObject({ result: '3' });
    await agent.call('debug_continue');
    for (const [tool, input] of [
      ['debug_scopes', { frameId }],
      ['debug_evaluate', { expression: '1', frameId }],
      ['debug_get_variable', { variablesReference: local?.variablesReference }],
      ['debug_scopes', { frameId: 999_999 }],
      ['debug_get_variable', { variablesReference: frameId }],
    ] as const) {
      expect([tool, await agent.code(tool, input)]).toEqual([tool, 'E_INVALID_REFERENCE']);
    }
  });

  test('what a program writes past the console is reported too, and nothing that it did not write', async () => {
    write(
      'src/writes.js',
      "process.stdout.write('half ');\nprocess.stdout.write('a line\\n');\nprocess.stderr.write('a warning\\n');\nconsole.log('said');\n",
    );
    const end = await agent.call('debug_start', { program: 'src/writes.js', wait: true });
    expect(end).toMatchObject({ event: 'terminated' });
    expect(end['output']).toContain('half a line\n');
    expect(end['output']).toContain('a warning\n');
    expect(end['output']).toContain('said\n');
    expect(end['output']).not.toMatch(/debugger/i);
  });

  test('steps go into, over and out of calls', async () => {
    write(
      'src/calls.js',
      'function add(a, b) {\n  return a + b;\n}\nfunction twice(a) {\n  const sum = add(a, a);\n  return sum;\n}\nconsole.log(twice(4));\n',
    );
    await agent.call('breakpoint_set', { path: 'src/calls.js', line: 5 });
    await agent.call('debug_start', { program: 'src/calls.js', wait: true });
    expect(await agent.call('debug_step_into')).toMatchObject({
      line: 2,
      functionName: expect.stringContaining('add'),
    });
    expect(await agent.call('debug_step_out', { brief: true })).toMatchObject({
      functionName: expect.stringContaining('twice'),
    });
    const brief = await agent.call('debug_step_over', { brief: true });
    expect(brief).toMatchObject({ event: 'stopped', file: 'src/calls.js' });
    expect(Object.keys(brief)).not.toContain('source');
    expect(Object.keys(brief)).not.toContain('locals');
  });

  test('exceptions stop the program: uncaught ones, and caught ones on request', async () => {
    write(
      'src/throws.js',
      "try {\n  throw new Error('first');\n} catch {\n  // Caught.\n}\nthrow new TypeError('second');\n",
    );
    await agent.call('breakpoint_set', { path: 'src/throws.js', line: 1 });
    await agent.call('debug_start', { program: 'src/throws.js', wait: true });
    const set = await agent.call('breakpoint_set_exception', { filters: ['all', 'uncaught'] });
    expect(set).toMatchObject({ filters: ['all', 'uncaught'] });
    expect(await agent.call('debug_continue')).toMatchObject({
      reason: 'exception',
      line: 2,
      message: expect.stringContaining('first'),
    });
    await agent.call('breakpoint_set_exception', { filters: ['uncaught'] });
    expect(await agent.call('debug_continue')).toMatchObject({
      reason: 'exception',
      line: 6,
      message: expect.stringContaining('second'),
    });
    const end = await agent.call('debug_continue');
    expect(end).toMatchObject({ event: 'terminated' });
    expect(end['output']).toContain('TypeError: second');
  });

  test('a pause shows where a busy program is, and a wait that ends in time says that it runs on', async () => {
    write('src/busy.js', 'let n = 0;\nsetInterval(() => {\n  for (let i = 0; i < 1e6; i += 1) n += i;\n}, 1);\n');
    await agent.call('breakpoint_set', { path: 'src/busy.js', line: 3 });
    const started = await agent.call('debug_start', { program: 'src/busy.js', wait: true });
    await agent.call('breakpoint_clear_project');
    await expect(agent.call('debug_continue', { timeoutMs: 300 })).rejects.toThrow(/^\[E_TIMEOUT\] .*it runs on/);
    await expect(agent.call('debug_wait_for_hit', { timeoutMs: 300 })).rejects.toThrow(
      /^\[E_TIMEOUT\] .*300 ms.*debug_pause/,
    );
    expect(await agent.code('debug_stack')).toBe('E_NOT_PAUSED');
    expect(await agent.code('debug_step_over')).toBe('E_NOT_PAUSED');
    expect(await agent.call('debug_pause')).toMatchObject({ event: 'stopped', reason: 'pause', file: 'src/busy.js' });
    expect(await agent.call('debug_status')).toMatchObject({
      isActive: true,
      isPaused: true,
      sessions: [{ sessionId: started['sessionId'], startedByYou: true }],
    });
    expect(await agent.call('debug_stop')).toMatchObject({ status: 'terminated' });
    expect(await agent.call('debug_status')).toMatchObject({ isActive: false, isPaused: false, sessions: [] });
  });
});
