import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Located, Problem, Reading } from './located.ts';

/** A document can repeat its parts by name; real settings are small. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 64;

/**
 * Pretty errors quote the source, which may hold a password. Ruby's and Compose's own tags are not mistakes. The
 * library compares each key with all keys before it, and searches for an alias's anchor in everything before it: both
 * are done here instead, in one pass.
 */
const OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: 'silent' } as const;

/** The library's own messages may quote the source. */
const CAUSES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias has an anchor or a tag',
  BAD_ALIAS: 'an alias refers to no earlier anchor',
  BAD_COLLECTION_TYPE: 'a tag does not match its value',
  BAD_DIRECTIVE: 'a directive (%) is wrong',
  BAD_DQ_ESCAPE: 'an unknown escape in double quotes',
  BAD_INDENT: 'the indentation is wrong',
  BAD_PROP_ORDER: 'an anchor or a tag is in the wrong place',
  BAD_SCALAR_START: 'a value begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key follows another value on the same line: is the indentation right?',
  BLOCK_IN_FLOW: 'a block list or map inside brackets',
  DUPLICATE_KEY: 'a duplicate key',
  IMPOSSIBLE: 'it cannot be read',
  KEY_OVER_1024_CHARS: 'a key is too long',
  MISSING_CHAR: 'a quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines: is the indentation right?',
  MULTIPLE_ANCHORS: 'a value has several anchors',
  MULTIPLE_DOCS: 'there are several documents',
  MULTIPLE_TAGS: 'a value has several tags',
  NON_STRING_KEY: 'a key is not a string',
  RESOURCE_EXHAUSTION: 'it is too large or too deep',
  TAB_AS_INDENT: 'a tab is used for indentation; use spaces',
  TAG_RESOLVE_FAILED: 'an unknown tag',
  UNEXPECTED_TOKEN: 'unexpected content',
};

function invalid(code: ErrorCode): string {
  return `not valid YAML: ${CAUSES[code]} (${code})`;
}

/** The most brackets, commas and references a settings file may have: the library keeps an object for each. */
const MAX_MARKS = 4 * MAX_NODES;
const MARKS: ReadonlySet<string> = new Set('[]{},*&!');

function hasTooMuch(text: string): boolean {
  let marks = 0;
  for (let at = 0; at < text.length && marks <= MAX_MARKS; at += 1) {
    if (MARKS.has(text[at] ?? '')) marks += 1;
  }
  return marks > MAX_MARKS;
}

const TOO_MUCH: Reading = {
  value: undefined,
  problems: [{ line: 1, reason: 'is too large or too deep for settings' }],
};

/** Reads one YAML document. */
export function readYaml(text: string): Reading {
  if (hasTooMuch(text)) return TOO_MUCH;
  const lineCounter = new LineCounter();
  return new Converter(parseDocument(text, { ...OPTIONS, lineCounter }), lineCounter).reading();
}

/** Reads every document of a YAML file. */
export function readYamlDocuments(text: string): readonly Reading[] {
  if (hasTooMuch(text)) return [TOO_MUCH];
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { ...OPTIONS, lineCounter });
  return Array.isArray(documents) ? documents.map((document) => new Converter(document, lineCounter).reading()) : [];
}

/** Every node of a document once, in text order. Uses its own stack instead of recursion. */
export function* nodesInOrder(root: unknown): Generator<Node> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    yield node;
    if (isSeq(node)) open.push(...node.items.toReversed());
    else if (isMap(node)) open.push(...node.items.flatMap(({ key, value }) => [key, value]).reverse());
  }
}

/** The node behind each alias: the last one before it with that anchor. */
function targetsOf(root: unknown): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  for (const node of nodesInOrder(root)) {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (node.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
  }
  return targets;
}

class Converter {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #problems: Problem[];
  readonly #targets: ReadonlyMap<Alias, Node>;
  /** Maps whose keys were already checked; an alias leads to the same map again. */
  readonly #looked = new Set<unknown>();
  #nodes = 0;
  #tooLarge = false;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
    this.#targets = targetsOf(document.contents);
    this.#problems = document.errors.map(
      (error): Problem => ({ line: lines.linePos(error.pos[0]).line, reason: invalid(error.code) }),
    );
  }

  reading(): Reading {
    const { contents } = this.#document;
    return { value: contents === null ? undefined : this.#convert(contents, 1, 0), problems: this.#problems };
  }

  #convert(node: unknown, parentLine: number, depth: number): Located {
    const line = lineOf(node, this.#lines) ?? parentLine;
    this.#nodes += 1;
    if (this.#tooLarge || this.#nodes > MAX_NODES || depth > MAX_DEPTH) {
      if (!this.#tooLarge) this.#problems.push({ line, reason: 'is too large or too deep for settings' });
      this.#tooLarge = true;
      return { kind: 'scalar', line, value: null };
    }
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      if (target !== undefined) return this.#convert(target, line, depth + 1);
      this.#problems.push({ line, reason: invalid('BAD_ALIAS') });
      return { kind: 'scalar', line, value: null };
    }
    if (isSeq(node)) {
      return { kind: 'array', line, items: node.items.map((item) => this.#convert(item, line, depth + 1)) };
    }
    if (isMap(node)) {
      this.#findTwins(node);
      return this.#map(node.items, line, depth);
    }
    return { kind: 'scalar', line, value: isScalar(node) ? scalar(node.value) : null };
  }

  #findTwins(map: YAMLMap): void {
    if (this.#looked.has(map)) return;
    this.#looked.add(map);
    const seen = new Set<unknown>();
    for (const { key } of map.items) {
      if (!isScalar(key)) continue;
      const line = lineOf(key, this.#lines) ?? 1;
      // Ruby and Python merge several maps this way.
      if (seen.has(key.value) && key.value !== '<<') this.#problems.push({ line, reason: invalid('DUPLICATE_KEY') });
      seen.add(key.value);
    }
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], line: number, depth: number): Located {
    const own = new Map<string, Located>();
    const merged = new Map<string, Located>();
    for (const pair of pairs) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const keyLine = lineOf(pair.key, this.#lines) ?? line;
      const inner = this.#convert(pair.value, keyLine, depth + 1);
      // An alias's value is reported at the line of its key.
      const value = inner.kind === 'scalar' ? inner : { ...inner, line: keyLine };
      if (key !== '<<') own.set(key, value);
      else {
        // In one list the first map wins, of several keys the last, and the map's own entries win over all of them.
        for (const part of value.kind === 'array' ? value.items.toReversed() : [value]) {
          for (const [name, inner] of part.kind === 'object' ? part.entries : []) merged.set(name, inner);
        }
      }
    }
    return { kind: 'object', line, entries: new Map([...merged, ...own]) };
  }
}

function lineOf(node: unknown, lines: LineCounter): number | undefined {
  if (!isNode(node) || !node.range) return undefined;
  return lines.linePos(node.range[0]).line;
}

function isNode(node: unknown): node is Node {
  return isAlias(node) || isMap(node) || isSeq(node) || isScalar(node);
}

function scalar(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
