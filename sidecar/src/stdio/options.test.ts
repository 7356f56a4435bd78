import { DEFAULT_TOOLSETS, TOOLSETS } from '@devdb/shared/tools';
import { isOn, parseStdioOptions } from './options.ts';

it('offers the toolsets that are on by default when none was named, and with the debugger what looks back', () => {
  expect(TOOLSETS.filter((toolset) => isOn(toolset, {}))).toEqual([...DEFAULT_TOOLSETS, 'trace']);
  expect(TOOLSETS.filter((toolset) => isOn(toolset, { toolsets: ['database'] }))).toEqual(['database']);
});

it.each([
  [[], {}],
  [['--toolsets', 'database, ide'], { toolsets: ['database', 'ide'] }],
  [['--from-mcp-json', '--timeout', '5'], { fromMcpJson: true, timeoutMs: 5 }],
  [['--timeout=600000', '--toolsets=debug'], { timeoutMs: 600_000, toolsets: ['debug'] }],
])('reads %j', (argv, options) => {
  expect(parseStdioOptions(argv)).toEqual({ ok: true, options });
});

it.each([[['--timeout', '600001']], [['--timeout', '1.5']], [['--timeout', '']], [['--toolsets', '']], [['x']]])(
  'refuses %j with a message',
  (argv) => {
    expect(parseStdioOptions(argv)).toEqual({ ok: false, problem: expect.stringMatching(/\.$/) });
  },
);

it('offers exactly the toolsets that were named', () => {
  expect(TOOLSETS.filter((toolset) => isOn(toolset, { toolsets: ['ide'] }))).toEqual(['ide']);
});
