import type { Expr } from './code/expression.ts';
import { parseExpression } from './code/parser.ts';

/** A `datasource` block of a Prisma schema. */
export interface Datasource {
  readonly name: string;
  readonly line: number;
  readonly provider: string | undefined;
  readonly url: Expr | undefined;
}

const FIELD = /^\s*(\w+)\s*=(.+)$/;

/** The datasource blocks of a Prisma schema. */
export function readDatasources(text: string): readonly Datasource[] {
  const found: Datasource[] = [];
  let open: { name: string; line: number; fields: Map<string, Expr> } | undefined;
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = withoutComment(written);
    const begin = /^\s*datasource\s+(\w+)\s*\{/.exec(line);
    if (begin?.[1] !== undefined) open = { name: begin[1], line: index + 1, fields: new Map() };
    const [, name, value] = FIELD.exec(line) ?? [];
    if (open && name !== undefined && value !== undefined) {
      open.fields.set(name, parseExpression(value, 'javascript', index + 1));
    }
    if (open && /^\s*\}/.test(line)) {
      const provider = open.fields.get('provider');
      found.push({
        name: open.name,
        line: open.line,
        provider: provider?.kind === 'value' ? String(provider.value) : undefined,
        url: open.fields.get('url'),
      });
      open = undefined;
    }
  }
  return found;
}

/** A comment starts only outside quotes: a URL contains two slashes too. */
function withoutComment(line: string): string {
  return /^(?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*/.exec(line)?.[0] ?? '';
}
