import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Borrowed, SettingsJournal } from './settings-journal.ts';

const SETTING: Borrowed = { key: 'a.b', folder: '/p', level: 'user', value: 'prompt', meanwhile: 'always' };
const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devdb-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a killed window leaves: the pid of a process that has ended. */
function heldBy(pid: number, at = Date.now()): void {
  const held = { pid, owner: 'another', at, settings: [SETTING] };
  writeFileSync(join(folder, 'held.json'), JSON.stringify(held));
}

function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

const settingsLeft = (pid = process.ppid) => [...new SettingsJournal(folder, pid).leftovers().values()].flat();

test('a borrowed setting is on disk before it is changed, and removed when it is restored', async () => {
  const journal = new SettingsJournal(folder);
  await journal.take(never);
  journal.note([SETTING]);
  expect(JSON.parse(readFileSync(join(folder, 'held.json'), 'utf8'))).toMatchObject({ settings: [SETTING] });
  expect(settingsLeft()).toEqual([]);
  journal.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a window waits while another has borrowed settings, or until its own call ends', async () => {
  // The parent process: a different one, and alive.
  heldBy(process.ppid);
  const waiting = new SettingsJournal(folder);
  await expect(waiting.take(AbortSignal.timeout(300))).rejects.toThrow();
  expect(settingsLeft(process.pid)).toEqual([]);
  const taken = waiting.take(never);
  rmSync(join(folder, 'held.json'));
  await taken;
  waiting.release();
});

test('of windows that want settings at once, one gets them at a time', async () => {
  // Live processes, whose pids the windows use.
  const windows = [process.pid, process.ppid, 1].map((pid) => new SettingsJournal(folder, pid));
  let holders = 0;
  await Promise.all(
    windows.map(async (journal) => {
      await journal.take(never);
      holders += 1;
      expect(holders).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      holders -= 1;
      journal.release();
    }),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['that was killed', () => heldBy(endedPid())],
  ['whose number another process has by now, much later', () => heldBy(process.ppid, Date.now() - 3_600_000)],
  ['whose number this very process has by now', () => heldBy(process.pid)],
])('what a window left %s is found by the next, which does not wait for it', async (_how, leave) => {
  leave();
  expect(settingsLeft(process.pid)).toEqual([SETTING]);
  const journal = new SettingsJournal(folder);
  await journal.take(never);
  expect(settingsLeft()).toEqual([SETTING]);
  for (const file of journal.leftovers().keys()) journal.keep(file, []);
  journal.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('what cannot be restored here is kept for a window that can', async () => {
  heldBy(endedPid());
  const journal = new SettingsJournal(folder);
  const elsewhere: Borrowed = { ...SETTING, level: 'folder', folder: '/other' };
  for (const file of journal.leftovers().keys()) journal.keep(file, [elsewhere]);
  expect(settingsLeft()).toEqual([elsewhere]);
  await journal.take(never);
  journal.note([SETTING]);
  journal.leave();
  expect(settingsLeft()).toEqual(expect.arrayContaining([elsewhere, SETTING]));
});

test('a damaged file blocks no window', async () => {
  writeFileSync(join(folder, 'held.json'), '{"pid":');
  const journal = new SettingsJournal(folder);
  await journal.take(never);
  journal.release();
  expect(settingsLeft()).toEqual([]);
});
