import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTools, findTool, type ToolDefinition } from '@devdb/shared/tools';
import { catalogue, editorHandlers } from '../build/generate/code.ts';
import { toolFacts } from '../build/generate/facts.ts';
import { firstSentence, manifests } from '../build/generate/manifests.ts';
import { readmeWithTable } from '../build/generate/readme.ts';
import { toolFiles } from '../build/generate/tool-files.ts';

const ROOT = join(__dirname, '..', '..');
const TOOLS = join('shared', 'src', 'tools');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('a new file of a tool is all that it takes: it is in the catalogue and has its handler, behind those that are there', () => {
  const root = mkdtempSync(join(tmpdir(), 'devdb-generate-'));
  try {
    cpSync(join(ROOT, TOOLS), join(root, TOOLS), { recursive: true });
    const definition = read(join(TOOLS, 'debug', 'debug_threads.ts'));
    const added = definition.replaceAll('debug_threads', 'debug_added').replaceAll('debugThreads', 'debugAdded');
    writeFileSync(join(root, TOOLS, 'debug', 'debug_added.ts'), added);
    const old = read(join(TOOLS, 'catalog.ts'));
    const files = toolFiles(root, old);
    const fresh = catalogue(files).text;
    expect(fresh).toContain("import { debugAdded } from './debug/debug_added.ts';");
    const listOf = (text: string) => [...text.matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name);
    expect(listOf(fresh).filter((name) => name !== 'debugAdded')).toEqual(listOf(old));
    const handlers = editorHandlers(files).find(({ file }) => file.includes(join('tools', 'debug')));
    expect(handlers?.text).toContain('  debug_added: debugAdded,');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('its definition is in the manifest, in what the extension registers, in the list of the entry and in the README', () => {
  const known = findTool('debug_threads');
  if (known === undefined) throw new Error('There is no debug_threads.');
  const added: ToolDefinition = { ...known, name: 'debug_added', title: 'Added' };
  const tools = [...allTools, added];
  const texts = [
    toolFacts(tools),
    ...manifests(read(join('extension', 'package.json')), tools).slice(0, 2),
    readmeWithTable(read('README.md'), tools),
  ];
  for (const { file, text } of texts) expect([file, text.includes('debug_added')]).toEqual([file, true]);
});

test('a tool is described in lists by its first whole sentence', () => {
  expect(firstSentence('Stop the program, e.g. to look. Then go on.')).toBe('Stop the program, e.g. to look.');
  expect(firstSentence('Write a .csv file\nwith 1.5 MB. Ends.')).toBe('Write a .csv file\nwith 1.5 MB.');
  expect(firstSentence('no end')).toBe('no end');
});
