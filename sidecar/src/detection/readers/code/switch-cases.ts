import { isDevelopment } from '../../environment-names.ts';
import type { Expr } from './expression.ts';
import { parsePartAt } from './parser.ts';
import type { Token } from './tokens.ts';

/** The tokens between a case's label and the next one, and when they are executed. */
export interface Case {
  readonly from: number;
  readonly to: number;
  readonly test: Expr;
}

interface Label {
  readonly at: number;
  readonly end: number;
  /** Undefined for `default`. */
  readonly test: Expr | undefined;
  /** Whether the case before it runs on into it. */
  readonly continues: boolean;
}

/** The cases of each `switch` that stands outside blocks and functions. */
export function casesOf(tokens: readonly Token[]): readonly Case[] {
  if (!tokens.some((token) => isWord(token, 'switch'))) return [];
  const cases: Case[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark') depth += /^[([{]$/.test(token.text) ? 1 : /^[)\]}]$/.test(token.text) ? -1 : 0;
    if (depth > 0 || !isWord(token, 'switch') || !isMark(tokens[at + 1], '(')) continue;
    const { expr, end } = parsePartAt(tokens, at + 1, 'javascript');
    if (isMark(tokens[end], '{')) cases.push(...casesIn(tokens, end, expr));
  }
  return cases;
}

function casesIn(tokens: readonly Token[], open: number, subject: Expr): Case[] {
  const { labels, close } = labelsIn(tokens, open, subject);
  const named = labels.flatMap(({ test }) => (test === undefined ? [] : [test]));
  const otherwise: Expr = { kind: 'not', line: subject.line, of: anyOf(named, subject.line) };
  let before: readonly Expr[] = [];
  return labels.map(({ end, test = otherwise, continues }, index): Case => {
    before = continues ? [...before, test] : [test];
    return { from: end, to: labels[index + 1]?.at ?? close, test: anyOf(before, subject.line) };
  });
}

function labelsIn(tokens: readonly Token[], open: number, subject: Expr): { labels: Label[]; close: number } {
  const labels: Label[] = [];
  let depth = 0;
  let ended = true;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === 'mark') depth += /^[([{]$/.test(token.text) ? 1 : /^[)\]}]$/.test(token.text) ? -1 : 0;
    if (depth === 0) return { labels, close: at };
    if (depth > 1) continue;
    if (isWord(token, 'break') || isWord(token, 'return')) ended = true;
    if (isWord(token, 'default') && isMark(tokens[at + 1], ':')) {
      labels.push({ at, end: at + 1, test: undefined, continues: !ended });
      ended = false;
    } else if (isWord(token, 'case')) {
      const { expr, end } = parsePartAt(tokens, at + 1, 'javascript');
      if (isMark(tokens[end], ':')) labels.push({ at, end, test: isCase(subject, expr), continues: !ended });
      ended = false;
    }
  }
  return { labels, close: tokens.length };
}

/** Where nothing sets what is asked for, it is the case of development. */
function isCase(subject: Expr, label: Expr): Expr {
  const { line } = label;
  const same: Expr = { kind: 'pair', line, operator: '===', left: subject, right: label };
  if (label.kind !== 'value' || !isDevelopment(String(label.value))) return same;
  return { kind: 'pair', line, operator: '||', left: same, right: { kind: 'not', line, of: subject } };
}

function anyOf(tests: readonly Expr[], line: number): Expr {
  const [first = { kind: 'value', line, value: false }, ...others] = tests;
  return others.reduce<Expr>((left, right) => ({ kind: 'pair', line, operator: '||', left, right }), first);
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
