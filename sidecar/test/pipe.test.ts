import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shutdown } from '@devdb/shared/protocol/sidecar-methods';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

/** Less than the hard stop, which would hide whatever keeps the process alive. */
const SOON_MS = 2_000;

let project: TempProject;
let window: TestWindow | undefined;
beforeEach(() => {
  project = tempProject();
  project.database('app.db', 'CREATE TABLE t(a)');
});
afterEach(async () => {
  await window?.kill();
  project.remove();
});

async function exitOf({ process }: TestWindow): Promise<unknown> {
  const started = performance.now();
  const code = process.exitCode ?? (await new Promise((resolve) => process.once('exit', resolve)));
  return { code, soon: performance.now() - started < SOON_MS };
}

const endings: readonly (readonly [string, (window: TestWindow) => unknown])[] = [
  ['is asked to end, while the editor keeps the pipe open', (window) => window.call(shutdown, {})],
  ['gets what is no message', ({ process }) => process.stdin?.write('hello\r\n\r\n{}')],
  ['gets a message that is no JSON', ({ process }) => process.stdin?.write('Content-Length: 2\r\n\r\n{{')],
  ['loses its editor in the middle of a message', ({ process }) => process.stdin?.end('Content-Length: 99\r\n\r\n{"')],
  ['gets a SIGTERM', ({ process }) => process.kill('SIGTERM')],
];

test.each(endings)("a window's sidecar shuts down in order when it %s", async (_how, end) => {
  window = await openWindow({ home: project.home, projects: [{ root: project.root }] });
  const [exit] = await Promise.all([exitOf(window), end(window)]);
  expect(exit).toEqual({ code: 0, soon: true });
  expect(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8'))).toEqual({});
});
