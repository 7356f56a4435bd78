import type { Environment } from '../environment.ts';

/** A database URL in a Makefile. */
export interface MakefileUrl {
  readonly url: string;
  readonly line: number;
  /** The line or its target speaks of tests. */
  readonly test: boolean;
}

const URL_AT = /\b(?:postgres(?:ql)?|mysql|sqlserver|sqlite3?):\/\/[^\s"'`]{1,2000}/g;
const VARIABLE = /^(?:export\s+)?(\w+)\s*[:?]?=(.*)$/;
const REFERENCE = /\$[({](\w+)[)}]/g;
const TARGET = /^([\w.-]+)\s*:/;
const MAX_STEPS = 5;
/** Values are inserted into each other. */
const MAX_VALUE_CHARS = 500;

/** The URLs in a Makefile, with its own variables and those of the `.env` files filled in. */
export function makefileUrls(text: string, environment: Environment): MakefileUrl[] {
  const lines = text.split(/\r?\n/);
  const variables = new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, value] = VARIABLE.exec(line) ?? [];
      return name === undefined || value === undefined || value.length > MAX_VALUE_CHARS
        ? []
        : [[name, value.trim().replace(/^(["'])(.*)\1$/, '$2')]];
    }),
  );
  const found = new Map<string, MakefileUrl>();
  let target = '';
  for (const [index, line] of lines.entries()) {
    target = TARGET.exec(line)?.[1] ?? target;
    if (line.trimStart().startsWith('#')) continue;
    for (const [written] of line.matchAll(URL_AT)) {
      const url = filledIn(written, variables, environment);
      const test = /test/i.test(line) || (/^\s/.test(line) && /test/i.test(target));
      if (url !== undefined && !found.has(url)) found.set(url, { url, line: index + 1, test });
    }
  }
  return [...found.values()];
}

/** Undefined where a variable has no value. */
function filledIn(
  written: string,
  variables: ReadonlyMap<string, string>,
  environment: Environment,
): string | undefined {
  let text = written;
  for (let step = 0; step < MAX_STEPS && text.length < 4_096 && text.includes('$'); step += 1) {
    text = text.replaceAll(REFERENCE, (whole, name: string) => {
      const resolved = environment.resolve(name);
      return resolved.state === 'set' ? resolved.text : (variables.get(name) ?? whole);
    });
  }
  return text.includes('$') ? undefined : text;
}
