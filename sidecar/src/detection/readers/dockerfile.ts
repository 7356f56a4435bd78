/** What the last stage of a Dockerfile is made from; its texts may refer to build arguments. */
export interface Dockerfile {
  readonly image: string;
  /** `ENV`, those of the stages that it starts from included. */
  readonly environment: ReadonlyMap<string, string>;
  /** `ARG` with a default. */
  readonly args: ReadonlyMap<string, string>;
}

interface Stage {
  readonly name: string | undefined;
  readonly from: string;
  readonly environment: Map<string, string>;
}

const MAX_STAGES = 50;
/** Each is a search for its end. */
const MAX_HEREDOCS = 100;
const FROM = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?\s*$/i;
const PAIR = /(?<!\w)([A-Za-z_]\w{0,100})=("[^"]*"|'[^']*'|[^\s"']*)/g;

/** Reads a Dockerfile up to the stage `target`, else to its last; undefined where it has no such stage. */
export function readDockerfile(text: string, target?: string): Dockerfile | undefined {
  const stages: Stage[] = [];
  const args = new Map<string, string>();
  for (const { name, rest } of instructionsOf(text)) {
    if (name === 'ARG') for (const [key, value] of pairsOf(rest)) args.set(key, value);
    else if (name === 'ENV') for (const [key, value] of environmentOf(rest)) stages.at(-1)?.environment.set(key, value);
    else if (name === 'FROM') {
      const [, from, as] = FROM.exec(rest) ?? [];
      if (from !== undefined && stages.length < MAX_STAGES) stages.push({ name: as, from, environment: new Map() });
    }
  }
  const at = target === undefined ? stages.length - 1 : stages.findLastIndex(({ name }) => isSame(name, target));
  const chain = chainOf(stages, at);
  const first = chain[0];
  if (first === undefined) return undefined;
  return { image: first.from, environment: new Map(chain.flatMap(({ environment }) => [...environment])), args };
}

/** A stage after those that it starts from. */
function chainOf(stages: readonly Stage[], at: number): readonly Stage[] {
  const stage = stages[at];
  if (stage === undefined) return [];
  const before = stages.slice(0, at).findLastIndex(({ name }) => isSame(name, stage.from));
  return [...chainOf(stages, before), stage];
}

function isSame(name: string | undefined, other: string): boolean {
  return name?.toLowerCase() === other.toLowerCase();
}

/** The instructions, each on one line; what a heredoc holds is none. */
function* instructionsOf(text: string): Generator<{ readonly name: string; readonly rest: string }> {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#'));
  let heredocs = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const parts = [lines[at] ?? ''];
    for (; lines[at]?.endsWith('\\') && at + 1 < lines.length; at += 1) {
      parts.push(lines[at + 1] ?? '');
    }
    const line = parts.map((part) => part.replace(/\\$/, '')).join(' ');
    const [, name = '', rest = ''] = /^([A-Za-z]+)\s+(\S.*)$/.exec(line) ?? [];
    const [, end] = /<<-?["']?([A-Za-z_]\w*)/.exec(rest) ?? [];
    if (end !== undefined && /^(RUN|COPY|ADD)$/i.test(name) && heredocs < MAX_HEREDOCS) {
      heredocs += 1;
      const closing = lines.indexOf(end, at + 1);
      if (closing !== -1) at = closing;
    }
    if (name !== '') yield { name: name.toUpperCase(), rest };
  }
}

/** `NAME=value OTHER="a value"`, or the old form with one name: `NAME a value`. */
function environmentOf(rest: string): readonly (readonly [string, string])[] {
  const [, name, value] = /^(\w+)\s+(\S.*)$/.exec(rest) ?? [];
  return name !== undefined && value !== undefined ? [[name, value.trim()]] : pairsOf(rest);
}

function pairsOf(rest: string): readonly (readonly [string, string])[] {
  return [...rest.matchAll(PAIR)].map(([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]);
}
