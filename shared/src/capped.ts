import { DEFAULT_RESULT_BYTES, MAX_RESULT_BYTES } from './limits.ts';

/** How much of an answer to keep. */
export interface Budget {
  /** Items, or nodes of a tree; without it, as many as fit. */
  readonly limit?: number | undefined;
  /** UTF-8 bytes of the kept part, as JSON. */
  readonly bytes: number;
  /** How to get the rest, for a model: "Pass a larger limit, or name a folder." */
  readonly more: string;
}

/** The kept part of an answer, and whether anything was left out. */
export type Capped<Kept> =
  | { readonly kept: Kept; readonly truncated: false }
  | { readonly kept: Kept; readonly truncated: true; readonly rest: string };

/** A tree as a tool builds it. */
export interface Tree<Value extends object> {
  readonly value: Value;
  readonly children: readonly Tree<Value>[];
}

/** The tree in the answer. `omitted` counts the nodes left out below a node. */
export type ShownTree<Value extends object> = Value & {
  readonly children?: readonly ShownTree<Value>[];
  readonly omitted?: number;
};

/** The JSON around a node's children: `,"children":[],"omitted":1000000`. */
const NODE_BYTES = 32;

/** The bytes an answer may take: more when the caller states its own limit. */
export function bytesFor(limit: number | undefined): number {
  return limit === undefined ? DEFAULT_RESULT_BYTES : MAX_RESULT_BYTES;
}

/** As many of the first items as fit the budget. */
export function cappedList<Item>(items: readonly Item[], { limit, bytes, more }: Budget): Capped<readonly Item[]> {
  const meter = new Meter(limit, bytes);
  const end = items.findIndex((item) => !meter.takes(item));
  if (end < 0) return { kept: items, truncated: false };
  return { kept: items.slice(0, end), truncated: true, rest: `${end} of ${items.length} are shown. ${more}` };
}

/**
 * As many nodes as fit the budget, level by level: an outline of the whole tree is worth more than the first branch in
 * full.
 */
export function cappedTree<Value extends object>(
  roots: readonly Tree<Value>[],
  { limit, bytes, more }: Budget,
): Capped<readonly ShownTree<Value>[]> {
  const meter = new Meter(limit, bytes, NODE_BYTES);
  const nodes = byLevels(roots);
  const end = nodes.findIndex(({ value }) => !meter.takes(value));
  const kept = new Set(end < 0 ? nodes : nodes.slice(0, end));
  const shown = shownTrees(roots, nodes, kept);
  if (end < 0) return { kept: shown, truncated: false };
  return { kept: shown, truncated: true, rest: `${end} of ${nodes.length} are shown. ${more}` };
}

/** The start or the end of a text, cut at line breaks where at least one whole line fits. */
export function cappedText(text: string, { bytes, more }: Budget, keep: 'start' | 'end' = 'start'): Capped<string> {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytes) return { kept: text, truncated: false };
  const kept = keep === 'start' ? startOf(encoded, bytes) : endOf(encoded, bytes);
  const shown = byteLength(kept);
  const which = keep === 'start' ? 'first' : 'last';
  return { kept, truncated: true, rest: `The ${which} ${shown} of ${encoded.length} bytes are shown. ${more}` };
}

/** The rest of a budget. */
class Meter {
  #items: number;
  #bytes: number;
  readonly #around: number;

  /** `around`: bytes each item costs on top of its own, at least a comma. */
  constructor(limit: number | undefined, bytes: number, around = 1) {
    this.#items = limit ?? Number.POSITIVE_INFINITY;
    // The list's brackets.
    this.#bytes = bytes - 2;
    this.#around = around;
  }

  takes(item: unknown): boolean {
    this.#items -= 1;
    this.#bytes -= byteLength(JSON.stringify(item) ?? 'null') + this.#around;
    return this.#items >= 0 && this.#bytes >= 0;
  }
}

/** Every node, level by level. No recursion: a tree may be as deep as a program's nesting. */
function byLevels<Value extends object>(roots: readonly Tree<Value>[]): readonly Tree<Value>[] {
  const nodes = [...roots];
  for (let at = 0; at < nodes.length; at += 1) for (const child of nodes[at]?.children ?? []) nodes.push(child);
  return nodes;
}

/** The kept nodes as a tree, built from the deepest level up so that a node's children exist before it does. */
function shownTrees<Value extends object>(
  roots: readonly Tree<Value>[],
  nodes: readonly Tree<Value>[],
  kept: ReadonlySet<Tree<Value>>,
): readonly ShownTree<Value>[] {
  const shown = new Map<Tree<Value>, ShownTree<Value>>();
  const left = new Map<Tree<Value>, number>();
  for (const node of nodes.toReversed()) {
    const { value } = node;
    const children = node.children.flatMap((child) => shown.get(child) ?? []);
    const omitted = node.children.reduce((sum, child) => sum + (left.get(child) ?? 0), 0);
    const isKept = kept.has(node);
    // A node that is kept reports its own omissions.
    left.set(node, isKept ? 0 : omitted + 1);
    if (!isKept) continue;
    const below = { ...(children.length === 0 ? {} : { children }), ...(omitted === 0 ? {} : { omitted }) };
    shown.set(node, { ...value, ...below });
  }
  return roots.flatMap((root) => shown.get(root) ?? []);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whole characters, and whole lines where at least one fits. */
function startOf(encoded: Uint8Array, bytes: number): string {
  let end = Math.max(bytes, 0);
  while (end > 0 && isInsideCharacter(encoded[end])) end -= 1;
  const line = end === 0 ? 0 : encoded.lastIndexOf(LINE_FEED, end - 1) + 1;
  return new TextDecoder().decode(encoded.subarray(0, line > 0 ? line : end));
}

function endOf(encoded: Uint8Array, bytes: number): string {
  let start = encoded.length - Math.max(bytes, 0);
  while (start < encoded.length && isInsideCharacter(encoded[start])) start += 1;
  const line = encoded.indexOf(LINE_FEED, start - 1) + 1;
  return new TextDecoder().decode(encoded.subarray(line > 0 && line < encoded.length ? line : start));
}

const LINE_FEED = 10;

/** In UTF-8, every byte of a character after the first starts with the bits 10. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
