import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogue, editorHandlers, editorLoader, sidecarHandlers } from './generate/code.ts';
import { toolFacts } from './generate/facts.ts';
import type { Generated } from './generate/generated.ts';
import { manifests } from './generate/manifests.ts';
import { readmeWithTable } from './generate/readme.ts';
import { toolFiles } from './generate/tool-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CATALOGUE = join('shared', 'src', 'tools', 'catalog.ts');

/** What is generated from the files' names alone. The definitions can only be loaded once it is right. */
function generatedCode(): Generated[] {
  const tools = toolFiles(ROOT, existsSync(join(ROOT, CATALOGUE)) ? read(CATALOGUE) : '');
  return [catalogue(tools), sidecarHandlers(tools), ...editorHandlers(tools), editorLoader(tools)];
}

async function generatedFromDefinitions(): Promise<Generated[]> {
  const { allTools } = await import('@devdb/shared/tools');
  return [
    toolFacts(allTools),
    ...manifests(read(join('extension', 'package.json')), allTools),
    readmeWithTable(read('README.md'), allTools),
  ];
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function differing(files: readonly Generated[]): Generated[] {
  return files.filter(({ file, text }) => !existsSync(join(ROOT, file)) || read(file) !== text);
}

/** Writes what differs, or with `--check` only names it. */
async function main(args: readonly string[]): Promise<number> {
  const isCheck = args.includes('--check');
  for (const step of [async () => generatedCode(), generatedFromDefinitions]) {
    const changed = differing(await step());
    for (const { file, text } of changed) {
      if (isCheck) process.stdout.write(`${file} differs from the tool definitions. Run: npm run generate\n`);
      else {
        mkdirSync(dirname(join(ROOT, file)), { recursive: true });
        writeFileSync(join(ROOT, file), text);
        process.stdout.write(`written: ${file}\n`);
      }
    }
    if (isCheck && changed.length > 0) return 1;
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
