import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Located, Problem, Reading } from './located.ts';

/** A document can name its parts again and again; settings are small. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 64;

/** Reads one YAML document. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter();
  // Pretty errors quote the source, and the source may hold a password.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map(
    (error): Problem => ({ line: lines.linePos(error.pos[0]).line, reason: `not valid YAML (${error.code})` }),
  );
  let nodes = 0;
  let tooLarge = false;
  const convert = (node: unknown, parentLine: number, depth: number): Located => {
    const line = lineOf(node, lines) ?? parentLine;
    nodes += 1;
    if (tooLarge || nodes > MAX_NODES || depth > MAX_DEPTH) {
      if (!tooLarge) problems.push({ line, reason: 'is too large or too deep for settings' });
      tooLarge = true;
      return { kind: 'scalar', line, value: null };
    }
    if (isAlias(node)) {
      const target = node.resolve(document);
      return target === undefined ? { kind: 'scalar', line, value: null } : convert(target, line, depth + 1);
    }
    if (isSeq(node)) return { kind: 'array', line, items: node.items.map((item) => convert(item, line, depth + 1)) };
    if (!isMap(node)) return { kind: 'scalar', line, value: isScalar(node) ? scalar(node.value) : null };
    const entries = node.items.map(
      (pair) =>
        [
          isScalar(pair.key) ? String(pair.key.value) : '',
          convert(pair.value, lineOf(pair.key, lines) ?? line, depth + 1),
        ] as const,
    );
    return { kind: 'object', line, entries: new Map(entries) };
  };
  return { value: document.contents === null ? undefined : convert(document.contents, 1, 0), problems };
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
