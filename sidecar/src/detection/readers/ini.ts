import type { Property } from './properties.ts';

/** The values of an INI file: by section, then by name, both in lower case. */
export type Ini = ReadonlyMap<string, ReadonlyMap<string, Property>>;

const SECTION = /^\[([^\]]+)\]\s*(?:[;#].*)?$/;
const PAIR = /^([^=:\s][^=:]*)[=:](.*)$/;

/** Reads an INI file. A value in quotes loses them; indented lines, which continue a value, are skipped. */
export function readIni(text: string): Ini {
  const sections = new Map<string, Map<string, Property>>();
  let section = new Map<string, Property>();
  sections.set('', section);
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';') || /^\s/.test(written)) continue;
    const name = SECTION.exec(line)?.[1]?.trim().toLowerCase();
    const pair = PAIR.exec(line);
    if (name !== undefined) {
      section = sections.get(name) ?? new Map<string, Property>();
      sections.set(name, section);
    } else if (pair?.[1] !== undefined) {
      section.set(pair[1].trim().toLowerCase(), { line: index + 1, value: withoutQuotes((pair[2] ?? '').trim()) });
    }
  }
  return sections;
}

function withoutQuotes(text: string): string {
  return /^(["'`])(.*)\1$/.exec(text)?.[2] ?? text;
}
