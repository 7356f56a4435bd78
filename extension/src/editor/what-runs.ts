/** Something that runs, as a person reads it. */
export interface Runnable {
  readonly name: string;
  /** Its command lines and its definition, whole. */
  readonly shown: string;
  /** What runs along with it. */
  readonly leadsTo: readonly Step[];
}

/** Something else that a definition names. */
export interface Step {
  readonly kind: 'launch' | 'task';
  readonly name: string;
}

/** Longer chains are not shown whole, and so are not run. */
const MAX_STEPS = 50;

/** Everything that would run, each part once: a task that runs before a launch counts as much as the launch itself. */
export function everythingThatRuns(first: Runnable, find: (step: Step) => Runnable | undefined): string | undefined {
  const parts = [first.shown];
  const seen = new Set<string>();
  const open = [...first.leadsTo];
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    const key = JSON.stringify([step.kind, step.name]);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > MAX_STEPS) return undefined;
    const found = find(step);
    parts.push(
      `${step.kind} ${JSON.stringify(step.name)}:\n${found?.shown ?? 'The editor knows nothing of this name.'}`,
    );
    open.push(...(found?.leadsTo ?? []));
  }
  return parts.join('\n\n');
}

/** A definition as it stands in launch.json or tasks.json. */
export function definitionText(definition: unknown): string {
  return JSON.stringify(definition, null, 2) ?? '';
}

/** What an entry of launch.json runs besides itself. */
export function stepsOfLaunch(entry: unknown): Step[] {
  const launches = listOf(field(entry, 'configurations')).flatMap((one) => namesOf(one, 'name'));
  const tasks = ['preLaunchTask', 'postDebugTask'].flatMap((key) => namesOf(field(entry, key), 'task'));
  return [
    ...launches.map((name) => ({ kind: 'launch', name }) as const),
    ...tasks.map((name) => ({ kind: 'task', name }) as const),
  ];
}

/** The tasks that an entry of tasks.json runs first, on any platform. */
export function stepsOfTask(entry: unknown): Step[] {
  const places = [entry, ...['windows', 'linux', 'osx'].map((platform) => field(entry, platform))];
  const names = places.flatMap((place) => listOf(field(place, 'dependsOn')).flatMap((one) => namesOf(one, 'task')));
  return names.map((name) => ({ kind: 'task', name }));
}

/** The command line of a task: as it stands in its shell, or as program and parameters. */
export function commandLineOf(execution: unknown): string[] {
  const line = field(execution, 'commandLine');
  const program = field(execution, 'process') ?? field(execution, 'command');
  const words = [program, ...listOf(field(execution, 'args'))].flatMap((word) => wordOf(word));
  const options = field(execution, 'options');
  return [
    ...(typeof line === 'string' ? [line] : words.length === 0 ? [] : [words.join(' ')]),
    ...(options === undefined ? [] : [`with ${JSON.stringify(options)}`]),
  ];
}

/** What npm runs for a script: also those of the same name that begin with pre and post. */
export function scriptLines(manifest: unknown, script: string): string[] {
  const scripts = field(manifest, 'scripts');
  return [`pre${script}`, script, `post${script}`].flatMap((name) => {
    const line = field(scripts, name);
    return typeof line === 'string' ? [`${name}: ${line}`] : [];
  });
}

/** A value of an object, also where the editor's own objects have it behind a getter. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || name in Object.prototype) return undefined;
  return Reflect.get(value, name);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A name as such, or an object that has it: a task by its type is named by what follows that. */
function namesOf(value: unknown, key: 'name' | 'task'): string[] {
  if (typeof value === 'string') return [value];
  const named = field(value, key) ?? field(value, 'label') ?? field(value, 'script');
  if (typeof named !== 'string') return [];
  const type = field(value, 'type');
  return [typeof type === 'string' && type !== 'shell' && type !== 'process' ? `${type}: ${named}` : named];
}

/** A word of a command line, quoted where it was given with quotes or has blanks. */
function wordOf(word: unknown): string[] {
  if (typeof word === 'string') return [/\s/.test(word) ? JSON.stringify(word) : word];
  const value = field(word, 'value');
  return typeof value === 'string' ? [JSON.stringify(value)] : [];
}
