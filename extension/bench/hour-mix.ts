/** A call of an agent. */
export interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Kind = (call: number) => Step;

const AREAS = 40;
const SERVICES = 48;
/** Files that the agent writes in turn. */
const SCRATCH_FILES = 20;

/** How many of a hundred calls are of each kind, as an agent's work on code has them: mostly reads, some edits. */
const SHARES: readonly (readonly [share: number, kind: Kind])[] = [
  [18, (call) => ({ tool: 'get_file_text_by_path', input: { pathInProject: serviceOf(call) } })],
  [9, (call) => ({ tool: 'code_symbols', input: { path: serviceOf(call) } })],
  [2, (call) => ({ tool: 'code_symbols', input: { query: symbolOf(call) } })],
  [9, (call) => ({ tool: 'code_definition', input: { path: serviceOf(call), symbol: symbolOf(call) } })],
  [7, (call) => ({ tool: 'code_references', input: { path: serviceOf(call), symbol: symbolOf(call) } })],
  [2, () => ({ tool: 'code_references', input: { path: 'src/core/money.ts', symbol: 'roundMoney' } })],
  [
    4,
    () => ({ tool: 'code_calls', input: { path: 'src/core/order.ts', symbol: 'Order.total', direction: 'incoming' } }),
  ],
  [6, (call) => ({ tool: 'code_hover', input: { path: serviceOf(call), symbol: symbolOf(call) } })],
  [6, (call) => ({ tool: 'diagnostic_collect', input: { path: serviceOf(call) } })],
  [8, (call) => ({ tool: 'search_in_files_content', input: { searchText: `sum${className(call)}` } })],
  [4, (call) => ({ tool: 'find_files_by_name_substring', input: { nameSubstring: `service-${call % SERVICES}` } })],
  [4, (call) => ({ tool: 'list_files_in_folder', input: { pathInProject: `src/${areaOf(call)}` } })],
  [3, () => ({ tool: 'get_open_in_editor_file_path', input: {} })],
  [2, () => ({ tool: 'get_setting', input: { key: 'editor.tabSize' } })],
  [1, () => ({ tool: 'list_available_actions', input: {} })],
  [5, (call) => ({ tool: 'run-query', input: { query: `SELECT name, city FROM customers WHERE id = ${call % 4}` } })],
  [6, (call) => ({ tool: 'replace_file_text_by_path', input: { pathInProject: scratchOf(call), text: textOf(call) } })],
  [2, (call) => ({ tool: 'code_format', input: { path: scratchOf(call) } })],
  [2, (call) => ({ tool: 'execute_command_with_output', input: { command: `echo ${call}` } })],
];

const ORDER: readonly Kind[] = mixed();

/** The call with this number: always the same one, of kinds that are well mixed. */
export function stepOf(call: number): Step {
  const kind = ORDER[call % ORDER.length];
  if (kind === undefined) throw new Error('No kinds of calls.');
  return kind(call);
}

/** The files that the agent writes, with their first text. */
export function scratchFiles(): (readonly [path: string, text: string])[] {
  return Array.from({ length: SCRATCH_FILES }, (_file, at) => [scratchOf(at), textOf(at)]);
}

function mixed(): Kind[] {
  const kinds = SHARES.flatMap(([share, kind]) => new Array<Kind>(share).fill(kind));
  // 37 and 100 have no common divisor, so each position occurs once.
  return kinds.map((kind, place) => kinds[(place * 37) % kinds.length] ?? kind);
}

function areaOf(call: number): string {
  return `area-${String(call % AREAS).padStart(2, '0')}`;
}

function className(call: number): string {
  return `Area${String(call % AREAS).padStart(2, '0')}${service(call)}`;
}

function service(call: number): number {
  return (call * 7) % SERVICES;
}

function serviceOf(call: number): string {
  return `src/${areaOf(call)}/service-${service(call)}.ts`;
}

function symbolOf(call: number): string {
  return `sum${className(call)}Part${call % 4}`;
}

function scratchOf(call: number): string {
  return `src/scratch/file-${call % SCRATCH_FILES}.ts`;
}

function textOf(call: number): string {
  return `export function  written${call % SCRATCH_FILES}( ) : number {\n  return ${call}\n}\n`;
}
