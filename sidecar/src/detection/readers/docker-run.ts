import { shellWords } from './command-words.ts';
import { type DotenvEntry, expand, readTemplate } from './dotenv.ts';

/** A container that a script starts with `docker run`. */
export interface DockerRun {
  readonly image: string;
  readonly name: string | undefined;
  /** A value that the script does not determine is undefined. */
  readonly environment: ReadonlyMap<string, string | undefined>;
  /** As behind `-p`. */
  readonly ports: readonly string[];
  readonly line: number;
  /** What `make` or `just` call the commands around it. */
  readonly target: string;
}

type Lookup = (name: string) => DotenvEntry | undefined;

/** Where the shell begins another command. */
const COMMAND_ENDS = /[|&;<>]/;
const RUN = /\b(?:docker|podman)[ \t]+(?:container[ \t]+)?run[ \t]/;
const SILENT = /^[ \t]*(?:#|\/\/|@?(?:echo|printf)\b)/;
const ASSIGNED = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?]?=[ \t]*(\S.{0,400})$/;
const TARGET = /^([\w.-]+)[^=]{0,200}:(?!=)/;
const MAX_LINE = 4_000;
const MAX_CONTINUED = 60;
/** Options of `docker run` without a value; every other one takes the next word. */
const ALONE =
  /^(?:-[ditqP]+|--(?:detach|interactive|tty|rm|init|privileged|publish-all|quiet|read-only|no-healthcheck|oom-kill-disable|use-api-socket))$/;

/** The containers that a shell script, a Makefile or a justfile starts. `lookup` knows variables that it does not set. */
export function dockerRuns(text: string, lookup: Lookup): DockerRun[] {
  const lines = text.split(/\r?\n/).map((line) => (line.length > MAX_LINE ? '' : line));
  const own = new Map(
    lines.flatMap((written, index): (readonly [string, DotenvEntry])[] => {
      const [, name, value] = ASSIGNED.exec(written) ?? [];
      if (name === undefined || value === undefined) return [];
      return [[name, { name, line: index + 1, segments: readTemplate(braced(unquoted(value))) }]];
    }),
  );
  const filledIn = (written: string): string | undefined => {
    const { value, missing } = expand(readTemplate(written), (name) => own.get(name) ?? lookup(name));
    return missing.length > 0 ? undefined : value;
  };
  const found: DockerRun[] = [];
  let target = '';
  for (const [index, first] of lines.entries()) {
    target = TARGET.exec(first)?.[1] ?? target;
    if (SILENT.test(first) || !RUN.test(first)) continue;
    const command = braced(continued(lines, index));
    const run = readRun(shellWords(command.slice(command.search(RUN)).replace(RUN, ''), COMMAND_ENDS).words, filledIn);
    if (run !== undefined) found.push({ ...run, line: index + 1, target });
  }
  return found;
}

/** A command goes on behind a backslash at a line's end. */
function continued(lines: readonly string[], from: number): string {
  let command = '';
  for (const line of lines.slice(from, from + MAX_CONTINUED)) {
    const goesOn = line.endsWith('\\');
    command += ` ${goesOn ? line.slice(0, -1) : line}`;
    if (!goesOn) break;
  }
  return command;
}

function readRun(
  words: readonly string[],
  filledIn: (written: string) => string | undefined,
): Pick<DockerRun, 'image' | 'name' | 'environment' | 'ports'> | undefined {
  const environment = new Map<string, string | undefined>();
  const ports: string[] = [];
  let name: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) {
      const image = filledIn(word);
      return image === undefined ? undefined : { image, name, environment, ports };
    }
    if (ALONE.test(word)) continue;
    // `--env=A=b`, `-eA=b`, `-e A=b`
    const [, option = word, attached] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-[ep])(.+)$/s.exec(word) ?? [];
    if (attached === undefined) at += 1;
    const value = attached ?? words[at] ?? '';
    if (option === '-e' || option === '--env') {
      const [, variable = '', set] = /^(\w+)(?:=(.*))?$/s.exec(value) ?? [];
      environment.set(variable, filledIn(set ?? `\${${variable}}`));
    } else if (option === '-p' || option === '--publish') {
      const port = filledIn(value);
      if (port !== undefined) ports.push(port);
    } else if (option === '--name') name = filledIn(value);
  }
  return undefined;
}

function unquoted(value: string): string {
  const [, , inside] = /^(["'])(.*?)\1/.exec(value) ?? [];
  const comment = value.search(/\s#/);
  return inside ?? (comment < 0 ? value : value.slice(0, comment)).trim();
}

/** One spelling for `$A`, `$(A)` of make, `{{A}}` of just, and for the shell's `${A:=b}`. */
function braced(text: string): string {
  return text
    .replace(/\$\((\w+)\)|\$(\w+)|\{\{ ?(\w+) ?\}\}/g, (_written, make, shell, just) => `\${${make ?? shell ?? just}}`)
    .replace(/\$\{(\w+):?=/g, '$${$1:-');
}
