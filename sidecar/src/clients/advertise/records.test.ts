import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWholeRecords, recordsFile, writeRecords } from './records.ts';

let home: { readonly dir: string };
beforeEach(() => {
  home = { dir: mkdtempSync(join(tmpdir(), 'devdb-records-')) };
});
afterEach(() => rmSync(home.dir, { recursive: true, force: true }));

test('records are read without the lock for as long as they parse; what does not is left for the process that has it', () => {
  expect(readWholeRecords(home)).toEqual({});
  const records = { '/shop': { file: '/shop/.mcp.json', created: true, inGit: false } };
  writeRecords(home, {}, records);
  expect(readWholeRecords(home)).toEqual(records);
  writeFileSync(recordsFile(home), '{"/shop":');
  expect(readWholeRecords(home)).toBeUndefined();
  expect(readFileSync(recordsFile(home), 'utf8')).toBe('{"/shop":');
});
