import * as fc from 'fast-check';
import { type LeveledLog, onlyProblems, showLogLine } from './log-lines.ts';

function shownOf(line: string): [string, string][] {
  const shown: [string, string][] = [];
  const at = (level: string) => (message: string) => void shown.push([level, message]);
  const log: LeveledLog = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
  showLogLine(line, log);
  return shown;
}

test.each(['error', 'warn', 'info', 'debug'])('a line is shown at its own level: %s', (level) => {
  const line = JSON.stringify({ time: '2030-01-01T00:00:00Z', level, event: 'call', tool: 'get-tables', ms: 3 });
  expect(shownOf(line)).toEqual([[level, 'call tool=get-tables ms=3']]);
});

test('a line that is not from the log is shown unchanged, as a warning', () => {
  expect(shownOf('Error: cannot find module')).toEqual([['warn', 'Error: cannot find module']]);
  expect(shownOf('{"event":')).toEqual([['warn', '{"event":']]);
  expect(shownOf('   ')).toEqual([]);
});

test('no input breaks the line', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.jsonValue().map((value) => JSON.stringify(value) ?? ''),
      ),
      (line) => {
        expect(shownOf(line).length).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('without logging only what went wrong is written', () => {
  const written: string[] = [];
  const at = (level: string) => (message: string) => void written.push(`${level} ${message}`);
  const log = onlyProblems({ error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') });
  for (const level of ['error', 'warn', 'info', 'debug']) showLogLine(JSON.stringify({ level, event: 'call' }), log);
  expect(written).toEqual(['error call', 'warn call']);
});
