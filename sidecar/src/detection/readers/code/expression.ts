/** An expression of a settings file, in one form for all languages. */
export type Expr =
  | { readonly kind: 'value'; readonly line: number; readonly value: string | number | boolean | null }
  | {
      readonly kind: 'object';
      readonly line: number;
      readonly entries: ReadonlyMap<string, Expr>;
      /** Objects spread (`...other`) before the entries, which win over them. */
      readonly spreads: readonly Expr[];
      /** Objects spread after an entry: they win over the entries. */
      readonly overrides: readonly Expr[];
    }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Expr[] }
  | { readonly kind: 'name'; readonly line: number; readonly name: string }
  | { readonly kind: 'member'; readonly line: number; readonly of: Expr; readonly key: Expr }
  | {
      readonly kind: 'call';
      readonly line: number;
      readonly of: Expr;
      readonly args: readonly Expr[];
      readonly named: ReadonlyMap<string, Expr>;
    }
  | {
      readonly kind: 'pair';
      readonly line: number;
      readonly operator: string;
      readonly left: Expr;
      readonly right: Expr;
    }
  /** `test ? yes : no` */
  | { readonly kind: 'choice'; readonly line: number; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | { readonly kind: 'not'; readonly line: number; readonly of: Expr }
  /** `*others` among the arguments of a call. */
  | { readonly kind: 'spread'; readonly line: number; readonly of: Expr }
  /** A function of Python that only gives back a value: `lambda name, *others: body`. */
  | {
      readonly kind: 'function';
      readonly line: number;
      readonly names: readonly string[];
      /** What takes all further arguments. */
      readonly others: string | undefined;
      readonly body: Expr;
    }
  /** Texts and expressions, concatenated. */
  | { readonly kind: 'template'; readonly line: number; readonly parts: readonly Expr[] }
  /** Unknown without running code. */
  | { readonly kind: 'unreadable'; readonly line: number };

/** The dotted name of an expression, e.g. `process.env` or `os.environ.get`; undefined for anything else. */
export function nameOf(expr: Expr): string | undefined {
  if (expr.kind === 'name') return expr.name;
  if (expr.kind !== 'member' || expr.key.kind !== 'value' || typeof expr.key.value !== 'string') return undefined;
  const of = nameOf(expr.of);
  return of === undefined ? undefined : `${of}.${expr.key.value}`;
}
