import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = 40;
const FILES_A_FOLDER = 50;
/** Each folder has two files of its own kind besides its services; `core` is one more folder. */
const SERVICES_A_FOLDER = FILES_A_FOLDER - 2;

/** A symbol that the agent is asked about, and the facts about it, which no tool receives. */
export interface Subject {
  /** As a person names it. */
  readonly title: string;
  /** As the code tools take it. */
  readonly symbol: string;
  /** What a search by name looks for. */
  readonly word: string;
  /** The folder or file that its name is unique in, as a person adds it to the question. */
  readonly within: string;
  readonly definedAt: string;
  /** `path:line` of each call. */
  readonly calls: ReadonlySet<string>;
  /** `path:line` of its imports and its definition. */
  readonly mentions: ReadonlySet<string>;
  /** The searches of an able person with grep, who knows the conventions of the project. */
  readonly searches: readonly GrepSearch[];
}

export interface GrepSearch {
  readonly pattern: string;
  readonly folder: string;
  /** Only files in which this finds something are looked at. */
  readonly narrows?: true;
}

interface Marks {
  readonly calls: Set<string>;
  readonly mentions: Set<string>;
}

/** The lines of a file, and which of them concern a subject. */
class Source {
  readonly path: string;
  readonly #lines: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(...lines: readonly string[]): this {
    this.#lines.push(...lines);
    return this;
  }

  mark(line: string, marks: Set<string>): this {
    this.#lines.push(line);
    marks.add(`${this.path}:${this.#lines.length}`);
    return this;
  }

  write(root: string): void {
    mkdirSync(dirname(join(root, this.path)), { recursive: true });
    writeFileSync(join(root, this.path), `${this.#lines.join('\n')}\n`);
  }
}

function marks(): Marks {
  return { calls: new Set(), mentions: new Set() };
}

/**
 * Writes a TypeScript project of some 2,000 files as large code bases have them: names that many classes share, imports
 * under another name, words in comments. Everything is made from the number of a file, so it is the same every time.
 */
export function makeCodeProject(root: string): readonly Subject[] {
  const own = { round: marks(), total: marks(), load: marks(), settle: marks() };
  writeCore(root, own);
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    writeLoader(root, folder, own.load);
    writeBasket(root, folder);
    for (let at = 0; at < SERVICES_A_FOLDER; at += 1) writeService(root, folder, at, own);
  }
  const options = { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noEmit: true };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }, null, 2));
  return subjects(own);
}

type Own = Readonly<Record<'round' | 'total' | 'load' | 'settle', Marks>>;

function subjects({ round, total, load, settle }: Own): Subject[] {
  const named = (symbol: string, at: string, { calls, mentions }: Marks) => ({
    symbol,
    definedAt: at,
    calls,
    mentions,
  });
  return [
    {
      ...named('settleLedger', 'src/core/ledger.ts', settle),
      title: 'settleLedger, a function with 3 calls and a name of its own',
      word: 'settleLedger',
      within: 'src/core/ledger.ts',
      searches: [{ pattern: '\\bsettleLedger\\b', folder: 'src' }],
    },
    {
      ...named('roundMoney', 'src/core/money.ts', round),
      title: 'roundMoney, a function called everywhere, in places under another name',
      word: 'roundMoney',
      within: 'src/core/money.ts',
      searches: [{ pattern: '\\broundMoney\\b', folder: 'src' }],
    },
    {
      ...named('Order.total', 'src/core/order.ts', total),
      title: 'Order.total, a method whose name other classes have too',
      word: 'Order',
      within: 'src/core/order.ts',
      searches: [
        { pattern: '(class|interface|type) Order\\b', folder: 'src' },
        { pattern: 'import .*\\bOrder\\b', folder: 'src', narrows: true },
        { pattern: '\\.total\\(', folder: 'src' },
      ],
    },
    {
      ...named('load', loaderPath(7), load),
      title: `load of ${folderName(7)}, a function whose name every folder has`,
      word: 'load',
      within: loaderPath(7),
      searches: [
        { pattern: '\\bload\\b', folder: `src/${folderName(7)}` },
        { pattern: `${folderName(7)}/load`, folder: 'src' },
      ],
    },
  ];
}

function writeCore(root: string, { round, total, settle }: Own): void {
  new Source('src/core/entry.ts')
    .add('/** A line of any list of the shop. */', 'export interface Entry {', '  readonly id: string;')
    .add('  readonly amount: number;', '  readonly count: number;', '}')
    .write(root);
  new Source('src/core/money.ts')
    .add('/** Rounds to cents; halves go to the even one. */')
    .mark('export function roundMoney(amount: number): number {', round.mentions)
    .add('  const cents = amount * 100;', '  const below = Math.floor(cents);')
    .add('  if (cents - below !== 0.5) return Math.round(cents) / 100;')
    .add('  return (below % 2 === 0 ? below : below + 1) / 100;', '}')
    .write(root);
  new Source('src/core/order.ts')
    .add("import type { Entry } from './entry';", '', '/** What a customer ordered. */', 'export class Order {')
    .add('  constructor(readonly entries: readonly Entry[]) {}', '', '  /** The total of its entries. */')
    .mark('  total(): number {', total.mentions)
    .add('    return this.entries.reduce((sum, { amount, count }) => sum + amount * count, 0);', '  }', '}')
    .write(root);
  new Source('src/core/ledger.ts')
    .add("import type { Entry } from './entry';", '', '/** Closes the books for these entries. */')
    .mark('export function settleLedger(entries: readonly Entry[]): boolean {', settle.mentions)
    .add('  return entries.every(({ amount }) => amount >= 0);', '}')
    .write(root);
  new Source('src/core/index.ts')
    .add("export type { Entry } from './entry';")
    .mark("export { settleLedger } from './ledger';", settle.mentions)
    .mark("export { roundMoney } from './money';", round.mentions)
    .add("export { Order } from './order';")
    .write(root);
}

function writeLoader(root: string, folder: number, { mentions }: Marks): void {
  const file = new Source(loaderPath(folder));
  file.add("import type { Entry } from '../core';", '', `/** Loads the entries of ${folderName(folder)}. */`);
  const head = 'export function load(id: string): readonly Entry[] {';
  if (folder === 7) file.mark(head, mentions);
  else file.add(head);
  file.add(`  return [{ id, amount: ${folder + 1}, count: 1 }];`, '}').write(root);
}

function writeBasket(root: string, folder: number): void {
  new Source(`src/${folderName(folder)}/basket.ts`)
    .add("import type { Entry } from '../core';", '', `export class ${className(folder)}Basket {`)
    .add('  readonly #entries: Entry[] = [];', '', '  add(entry: Entry): void {', '    this.#entries.push(entry);')
    .add('  }', '', '  /** The total without shipping. */', '  total(): number {')
    .add('    return this.#entries.reduce((sum, entry) => sum + entry.amount, 0);', '  }', '}')
    .write(root);
}

function writeService(root: string, folder: number, at: number, own: Own): void {
  const number = folder * SERVICES_A_FOLDER + at;
  const name = `${className(folder)}${at}`;
  const uses = usesOf(number, at, folder);
  const file = new Source(`src/${folderName(folder)}/service-${at}.ts`);
  addImports(file, uses, folder, own);
  file.add('', `/** The ${folderName(folder)} service ${at}: sums, filters and reports the total of its entries. */`);
  for (let part = 0; part < 4; part += 1) addFiller(file, name, part, number);
  if (uses.comment) file.add('// roundMoney would round halves to even here, which the report must not do.');
  if (uses.round) {
    const called = uses.alias ? 'toCents' : 'roundMoney';
    file
      .add('', `export function price${name}(amount: number): number {`)
      .mark(`  return ${called}(amount * ${1 + (number % 9)});`, own.round.calls)
      .add('}');
  }
  if (uses.total) {
    const order = ['order', 'placed', 'current', 'previous'][number % 4] ?? 'order';
    file
      .add('', `export function due${name}(${order}: Order, paid: number): number {`)
      .add(`  const missing = ${order}.entries.length === 0 ? 0 : paid;`)
      .mark(`  return ${order}.total() - missing;`, own.total.calls)
      .add('}');
  }
  if (uses.basket) {
    file
      .add(
        '',
        `export function fill${name}(entry: Entry): number {`,
        `  const basket = new ${className(folder)}Basket();`,
      )
      .add('  basket.add(entry);', '  return basket.total();', '}');
  }
  addLoading(file, uses, name, folder, own.load);
  if (uses.settle) {
    file
      .add('', `export function close${name}(entries: readonly Entry[]): string {`)
      .mark(`  return settleLedger(entries) ? 'closed' : 'open';`, own.settle.calls)
      .add('}');
  }
  file.write(root);
}

interface Uses {
  readonly round: boolean;
  readonly alias: boolean;
  readonly comment: boolean;
  readonly total: boolean;
  readonly basket: boolean;
  readonly load: boolean;
  readonly foreignLoad: boolean;
  readonly settle: boolean;
}

function usesOf(number: number, at: number, folder: number): Uses {
  return {
    round: number % 32 === 5,
    alias: number % 384 === 5,
    comment: number % 96 === 7,
    total: number % 48 === 11,
    basket: number % 16 === 0 || number % 96 === 11,
    load: at % 4 === 1,
    foreignLoad: at === 2 && folder % 13 === 1,
    settle: number === 100 || number === 777 || number === 1500,
  };
}

function addImports(file: Source, uses: Uses, folder: number, { round, load, settle }: Own): void {
  file.add("import type { Entry } from '../core';");
  if (uses.round) {
    const name = uses.alias ? 'roundMoney as toCents' : 'roundMoney';
    file.mark(`import { ${name} } from '../core';`, round.mentions);
  }
  if (uses.settle) file.mark("import { settleLedger } from '../core';", settle.mentions);
  if (uses.total) file.add("import type { Order } from '../core';");
  if (uses.basket) file.add(`import { ${className(folder)}Basket } from './basket';`);
  if (uses.load) {
    const line = "import { load } from './load';";
    if (folder === 7) file.mark(line, load.mentions);
    else file.add(line);
  }
  if (uses.foreignLoad) {
    file.mark(`import { load as load${className(7)} } from '../${folderName(7)}/load';`, load.mentions);
  }
}

function addLoading(file: Source, uses: Uses, name: string, folder: number, { calls }: Marks): void {
  if (uses.load) {
    const line = '  return load(id).length;';
    file.add('', `export function count${name}(id: string): number {`);
    if (folder === 7) file.mark(line, calls);
    else file.add(line);
    file.add('}');
  }
  if (uses.foreignLoad) {
    file
      .add('', `export function borrow${name}(id: string): readonly Entry[] {`)
      .mark(`  return load${className(7)}(id);`, calls)
      .add('}');
  }
}

/** Code as any: it has the words that a search by name finds, and means others. */
function addFiller(file: Source, name: string, part: number, number: number): void {
  file
    .add('', `/** Adds up what is above ${part * 10}. An order without entries has no total. */`)
    .add(`export function sum${name}Part${part}(entries: readonly Entry[]): number {`, '  let total = 0;')
    .add('  for (const entry of entries) {', `    if (entry.amount < ${part * 10}) continue;`)
    .add(`    const weight = entry.count * ${1 + (number % 7)};`, '    total += entry.amount * weight;', '  }')
    .add(`  if (total > ${1000 + number}) throw new RangeError('The total is too large.');`, '  return total;', '}');
}

function folderName(folder: number): string {
  return `area-${String(folder).padStart(2, '0')}`;
}

function className(folder: number): string {
  return `Area${String(folder).padStart(2, '0')}`;
}

function loaderPath(folder: number): string {
  return `src/${folderName(folder)}/load.ts`;
}
