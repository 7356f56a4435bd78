import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
} from 'yaml';
import type { Located, Problem, Reading } from './located.ts';

/** A document can name its parts again and again; settings are small. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 64;

/** Pretty errors quote the source, and the source may hold a password. Ruby's and Compose's own tags are no mistakes. */
const OPTIONS = { prettyErrors: false, uniqueKeys: true, logLevel: 'silent' } as const;

/** Reads one YAML document. */
export function readYaml(text: string): Reading {
  const lineCounter = new LineCounter();
  return new Converter(parseDocument(text, { ...OPTIONS, lineCounter }), lineCounter).reading();
}

/** Reads every document of a YAML file. */
export function readYamlDocuments(text: string): readonly Reading[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { ...OPTIONS, lineCounter });
  return Array.isArray(documents) ? documents.map((document) => new Converter(document, lineCounter).reading()) : [];
}

class Converter {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #problems: Problem[];
  #nodes = 0;
  #tooLarge = false;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
    this.#problems = document.errors.map(
      (error): Problem => ({ line: lines.linePos(error.pos[0]).line, reason: `not valid YAML (${error.code})` }),
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
      const target = node.resolve(this.#document);
      return target === undefined ? { kind: 'scalar', line, value: null } : this.#convert(target, line, depth + 1);
    }
    if (isSeq(node)) {
      return { kind: 'array', line, items: node.items.map((item) => this.#convert(item, line, depth + 1)) };
    }
    if (isMap(node)) return this.#map(node.items, line, depth);
    return { kind: 'scalar', line, value: isScalar(node) ? scalar(node.value) : null };
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], line: number, depth: number): Located {
    const own = new Map<string, Located>();
    const merged = new Map<string, Located>();
    for (const pair of pairs) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const keyLine = lineOf(pair.key, this.#lines) ?? line;
      const inner = this.#convert(pair.value, keyLine, depth + 1);
      // What a name stands for is looked up at the name.
      const value = inner.kind === 'scalar' ? inner : { ...inner, line: keyLine };
      if (key !== '<<') own.set(key, value);
      else {
        // Of several the first wins, and what the map says itself wins over all.
        for (const part of value.kind === 'array' ? value.items : [value]) {
          for (const [name, inner] of part.kind === 'object' ? part.entries : []) {
            if (!merged.has(name)) merged.set(name, inner);
          }
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
