import * as z from 'zod';
import { describeUnless } from '../../fixtures/labs/needs.ts';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { type Data, DebugAgent } from './helpers/debug-agent.ts';
import { addProgram, LANGUAGES, lineWith, whyNot, withDebuggers } from './helpers/debugged-languages.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';

const WAIT = { timeoutMs: 120_000 };

const stack = z.object({ frames: z.array(z.looseObject({ frameId: z.int(), functionName: z.string() })) });
const scoped = z.object({ scopes: z.array(z.looseObject({ name: z.string(), variablesReference: z.int() })) });
const variable = (name: string, value: string) => expect.objectContaining({ name, value });

describeEditor('an agent that debugs with other debuggers', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    const options = { machineSettings: { 'Devdb.approvals': 'allow' }, ...withDebuggers() };
    sample = await startOnSample(options, addExampleFiles);
    for (const language of LANGUAGES) await addProgram(sample.root, language);
    agent = await DebugAgent.start(sample, ['--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  afterEach(() => agent.reset());

  for (const language of LANGUAGES) {
    const { name, type, source, program, exceptions, exitCodeOfFailure, ofBadValue } = language;
    describeUnless(whyNot(language), name, () => {
      const line = (text: string) => lineWith(sample.root, language, text);
      const stopAt = (text: string, more: Data = {}) =>
        agent.call('breakpoint_set', { path: source, line: line(text), ...more });
      const run = (args: readonly string[] = []) => agent.call('debug_start', { program, args, wait: true, ...WAIT });
      const on = () => agent.call('debug_continue', WAIT);

      test('a condition stops it where it holds, and the answer shows place, source and locals', async () => {
        await stopAt('subtotal =', { condition: 'price == 20' });
        expect(await agent.call('debug_start', { program, ...WAIT })).toMatchObject({
          adapterType: type,
          configuration: { type, request: 'launch' },
        });
        const hit = await agent.call('debug_wait_for_hit', WAIT);
        const place = { file: source, line: line('subtotal ='), functionName: 'add' };
        expect(hit).toMatchObject({ event: 'stopped', reason: 'breakpoint', ...place });
        expect(hit['source']).toContain(`>${place.line}| `);
        expect(hit['locals']).toEqual(expect.arrayContaining([variable('total', '10'), variable('price', '20')]));
        expect(await agent.call('breakpoint_list')).toMatchObject({
          breakpoints: [{ path: source, line: place.line, condition: 'price == 20', verified: true }],
        });
        expect(await on()).toMatchObject({ event: 'terminated', exitCode: 0 });
      });

      test('stack, scopes and variables are its own, and do not hold once it has run on', async () => {
        await stopAt('return subtotal', { condition: 'price == 20' });
        await run();
        const { frames } = stack.parse(await agent.call('debug_stack', { levels: 3 }));
        expect(frames.map(({ functionName }) => functionName)).toEqual(['add', 'totals', 'main']);
        const [inner, caller] = frames;
        const { scopes } = scoped.parse(await agent.call('debug_scopes', { frameId: inner?.frameId }));
        const locals = scopes.find((scope) => /^local/i.test(scope.name));
        const page = await agent.call('debug_get_variable', { variablesReference: locals?.variablesReference });
        expect(page['children']).toEqual(expect.arrayContaining([variable('subtotal', '30'), variable('price', '20')]));
        const tree = JSON.stringify(await agent.call('debug_list_variables'));
        expect(tree).toContain('"name":"subtotal","value":"30"');
        expect(tree).not.toMatch(/registers|globals/i);
        const inCaller = { expression: 'prices[2]', frameId: caller?.frameId };
        expect(await agent.call('debug_evaluate', inCaller)).toMatchObject({ result: '30' });
        await on();
        expect(await agent.code('debug_scopes', { frameId: inner?.frameId })).toMatch(
          /^E_(INVALID_REFERENCE|NO_SESSION)$/,
        );
      });

      test('an expression is evaluated and a variable set, and what it refuses is reported in its own words', async () => {
        await stopAt('subtotal =');
        await run();
        expect(await agent.call('debug_evaluate', { expression: 'total + price' })).toMatchObject({ result: '10' });
        expect(await agent.call('debug_set_variable', { name: 'total', value: '100' })).toMatchObject({ value: '100' });
        expect(await agent.call('debug_step_over', WAIT)).toMatchObject({ line: line('return subtotal') });
        expect(await agent.call('debug_evaluate', { expression: 'subtotal' })).toMatchObject({ result: '110' });
        await expect(agent.call('debug_evaluate', { expression: 'nosuch + 1' })).rejects.toThrow(
          /^\[E_EVALUATE_FAILED\] .*nosuch/s,
        );
        const unknown = { name: 'nosuch', value: '1' };
        expect(await agent.code('debug_set_variable', unknown)).toBe('E_VARIABLE_NOT_FOUND');
        expect(await agent.code('debug_set_variable', { name: 'total', value: 'not a value' })).toBe(ofBadValue);
      });

      test('steps go into, over and out of calls', async () => {
        await stopAt('total = add(');
        await run();
        expect(await agent.call('debug_step_into', WAIT)).toMatchObject({ reason: 'step', functionName: 'add' });
        expect(await agent.call('debug_step_over', WAIT)).toMatchObject({ functionName: 'add' });
        const out = await agent.call('debug_step_out', { brief: true, ...WAIT });
        expect(out).toMatchObject({ event: 'stopped', functionName: 'totals', file: source });
        expect(Object.keys(out)).not.toContain('locals');
      });

      test('a hit count skips hits, a logpoint prints without stopping, and its output is reported', async () => {
        await stopAt('subtotal =', { hitCondition: '2' });
        await stopAt('return subtotal', { logMessage: 'subtotal is {subtotal}' });
        const hit = await run();
        expect(hit).toMatchObject({ event: 'stopped', line: line('subtotal =') });
        expect(await agent.call('debug_evaluate', { expression: 'price' })).toMatchObject({ result: '20' });
        await agent.call('breakpoint_remove', { path: source, line: line('subtotal =') });
        const end = await on();
        expect(end).toMatchObject({ event: 'terminated' });
        const output = `${hit['output']}${end['output']}`;
        for (const total of [10, 30, 60]) {
          expect(output).toContain(`subtotal is ${total}`);
          expect(output).toContain(`total is ${total}`);
        }
      });

      test('exceptions stop it with what they say, and the end has its exit code', async () => {
        await stopAt('total = add(');
        await run(['fail']);
        await agent.call('breakpoint_clear_file', { path: source });
        const { filters } = exceptions;
        expect(await agent.call('breakpoint_set_exception', { filters })).toMatchObject({ filters });
        expect(await agent.code('breakpoint_set_exception', { filters: ['nosuch'] })).toBe('E_NOT_SUPPORTED');
        for (const said of exceptions.say)
          expect(await on()).toMatchObject({ reason: 'exception', message: expect.stringContaining(said) });
        expect(await agent.call('dap_exceptions')).toMatchObject({
          exceptions: exceptions.say.map(() => expect.anything()),
        });
        await agent.call('breakpoint_set_exception', { filters: [] });
        expect(await on()).toMatchObject({ event: 'terminated', exitCode: exitCodeOfFailure });
      });

      test('a busy program is paused where it is, and stopped', async () => {
        await stopAt('ticks += 1');
        await run(['watch']);
        await agent.call('breakpoint_clear_project');
        expect(await agent.code('debug_continue', { timeoutMs: 300 })).toBe('E_TIMEOUT');
        expect(await agent.code('debug_stack')).toBe('E_NOT_PAUSED');
        const paused = await agent.call('debug_pause');
        expect(paused).toMatchObject({ event: 'stopped', reason: 'pause', functionName: 'watch', file: source });
        expect(await agent.call('debug_stop')).toMatchObject({ status: 'terminated' });
        expect(await agent.call('debug_status')).toMatchObject({ isActive: false, sessions: [] });
      });

      test('is run again from its start', async () => {
        await stopAt('subtotal =', { condition: 'price == 30' });
        await run();
        await agent.call('debug_restart');
        const hit = await agent.call('debug_wait_for_hit', WAIT);
        expect(hit['locals']).toEqual(expect.arrayContaining([variable('total', '30'), variable('price', '30')]));
        expect(await on()).toMatchObject({ event: 'terminated' });
      });
    });
  }
});
