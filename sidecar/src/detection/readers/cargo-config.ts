import type { DotenvEntry } from './dotenv.ts';
import type { Problem } from './located.ts';
import { readToml } from './toml.ts';

const VARIABLE = /^env\.(\w+)(?:\.value)?$/;

/** The variables that Cargo sets for every command: `[env]` of its configuration. Nothing in them refers to others. */
export function readCargoVariables(text: string): {
  readonly entries: readonly DotenvEntry[];
  readonly problems: readonly Problem[];
} {
  const { values, problems } = readToml(text);
  const entries = [...values].flatMap(([path, { line, value }]): readonly DotenvEntry[] => {
    const name = VARIABLE.exec(path)?.[1];
    return name === undefined ? [] : [{ name, line, segments: [{ kind: 'text', text: String(value) }] }];
  });
  return { entries, problems };
}
