import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { atomicWrite, jsonOf, readOrSetAside, setAside } from './files.ts';

let dir = '';
const file = () => join(dir, 'facts.json');
const parse = jsonOf(z.object({ a: z.number() }));
const none = () => {
  throw new Error('nothing was broken');
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-files-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a file is replaced atomically, for its owner alone, and nothing else is left', () => {
  writeFileSync(file(), 'old', { mode: 0o644 });
  atomicWrite(file(), 'ä new', { durable: true });
  expect(readFileSync(file(), 'utf8')).toBe('ä new');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['facts.json']);
});

test('what a killed writer left under the temporary name is overwritten', () => {
  const temporary = `${file()}.tmp`;
  writeFileSync(temporary, 'a half-written, longer text', { mode: 0o644 });
  atomicWrite(file(), 'whole', { temporary });
  expect(readFileSync(file(), 'utf8')).toBe('whole');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['facts.json']);
});

test('a write that fails leaves the old file and no temporary one', () => {
  mkdirSync(file());
  expect(() => atomicWrite(file(), 'text')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  expect(readdirSync(dir)).toEqual(['facts.json']);
});

test('a missing file is undefined and not broken', () => {
  expect(readOrSetAside(file(), parse, none)).toBeUndefined();
});

test('a file that parses is read, also with a byte order mark', () => {
  writeFileSync(file(), '\ufeff{"a":1}');
  expect(readOrSetAside(file(), parse, none)).toEqual({ a: 1 });
});

test.each(['', '{', '{"a":"1"}'])('%j is moved aside, whole, and reported', (text) => {
  writeFileSync(file(), text);
  const told: string[] = [];
  expect(readOrSetAside(file(), parse, ({ movedTo }) => told.push(movedTo))).toBeUndefined();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/facts\.json\.broken-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
  expect(readFileSync(told[0] ?? '', 'utf8')).toBe(text);
  expect(readdirSync(dir)).toHaveLength(1);
});

test('two files set aside at the same moment are both kept', () => {
  const now = new Date();
  const places = ['first', 'second', 'third'].map((text) => {
    writeFileSync(file(), text);
    return setAside(file(), now);
  });
  expect(places.map((place) => readFileSync(place, 'utf8'))).toEqual(['first', 'second', 'third']);
});
