import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLSETS, type Toolset } from '@devdb/shared/tools/toolsets';

/** A file that defines a tool: `export const x = defineTool({ name: 'x', ... })`, with the same name as the tool. */
export interface ToolFile {
  readonly toolset: Toolset;
  readonly name: string;
  /** The name of the definition in code, and of its handler. */
  readonly symbol: string;
  readonly runsIn: 'sidecar' | 'editor';
}

/** The definitions in a catalogue's list, in order. */
const IN_CATALOGUE = /^ {2}(\w+),$/gm;

/**
 * Every tool that has a file. Agents rely on the list's order, so a tool keeps its place in the catalogue, and a new
 * one goes after the others of its toolset.
 */
export function toolFiles(root: string, catalogue: string): readonly ToolFile[] {
  const placeOf = new Map([...catalogue.matchAll(IN_CATALOGUE)].map(([, symbol], place) => [symbol, place]));
  const place = ({ symbol }: ToolFile): number => placeOf.get(symbol) ?? Number.MAX_SAFE_INTEGER;
  return TOOLSETS.flatMap((toolset) => filesOf(root, toolset).sort((one, other) => place(one) - place(other)));
}

function filesOf(root: string, toolset: Toolset): ToolFile[] {
  const folder = join(root, 'shared', 'src', 'tools', toolset);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const name = file.replace(/\.ts$/, '');
    if (!text.includes('defineTool({')) return [];
    const symbol = symbolOf(name);
    const runsIn = text.includes("runsIn: 'editor'") ? 'editor' : 'sidecar';
    if (text.includes(`export const ${symbol} = defineTool({`) && text.includes(`name: '${name}'`))
      return [{ toolset, name, symbol, runsIn }];
    throw new Error(`shared/src/tools/${toolset}/${file} has to export ${symbol}, the definition of the tool ${name}.`);
  });
}

/** The symbol of both get-tables and get_tables is getTables. */
function symbolOf(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_all, letter: string) => letter.toUpperCase());
}
