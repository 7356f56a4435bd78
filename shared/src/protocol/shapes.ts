import { isPlain, type PlainText } from '../plain-text.ts';
import type { MessageSchema, SchemaIssue, ValueOf } from './message-schema.ts';

/** The first issue of a value; undefined when it has the shape. */
type Look = (raw: unknown) => SchemaIssue | undefined;

/** A schema that only looks: the value it reads is the one it was given. */
export class Shape<Value> implements MessageSchema<Value> {
  readonly #look: Look;

  constructor(look: Look) {
    this.#look = look;
  }

  safeParse(raw: unknown): ReturnType<MessageSchema<Value>['safeParse']> {
    if (this.fits(raw)) return { success: true, data: raw };
    const issue = this.#look(raw);
    return { success: false, error: { issues: issue === undefined ? [] : [issue] } };
  }

  fits(raw: unknown): raw is Value {
    return this.#look(raw) === undefined;
  }

  /** The value's issue, as one of the value that holds it under this key. */
  issueAt(key: PropertyKey, raw: unknown): SchemaIssue | undefined {
    const issue = this.#look(raw);
    return issue && { ...issue, path: [key, ...issue.path] };
  }
}

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Values<Fields extends Shapes, Optional extends Shapes> = { [Key in keyof Fields]: ValueOf<Fields[Key]> } & {
  [Key in keyof Optional]?: ValueOf<Optional[Key]> | undefined;
};

export const text = shape<string>('a string', (raw) => typeof raw === 'string');
export const filledText = shape<string>('a string that is not empty', (raw) => typeof raw === 'string' && raw !== '');
export const flag = shape<boolean>('true or false', (raw) => typeof raw === 'boolean');
export const amount = shape<number>('a number', (raw) => typeof raw === 'number' && Number.isFinite(raw));
export const whole = shape<number>('a whole number', Number.isSafeInteger);
/** Text for people. Text that is not plain is refused. */
export const plainLine = shape<PlainText>('one plain line', (raw) => typeof raw === 'string' && isPlain(raw));
export const anything = shape<unknown>('anything', () => true);

/** A value that passes a test of its own. */
export function shape<Value>(what: string, test: (raw: unknown) => boolean): Shape<Value> {
  return new Shape((raw) => (test(raw) ? undefined : { path: [], message: `expected ${what}` }));
}

export function oneOf<const Value extends string>(values: readonly Value[]): Shape<Value> {
  return shape(`one of ${values.join(', ')}`, (raw) => values.some((value) => value === raw));
}

export function listOf<Value>(item: Shape<Value>): Shape<Value[]> {
  return new Shape((raw) => {
    if (!Array.isArray(raw)) return { path: [], message: 'expected a list' };
    for (const [index, value] of raw.entries()) {
      const issue = item.issueAt(index, value);
      if (issue !== undefined) return issue;
    }
    return undefined;
  });
}

/** An object with these fields. It may have others, which a later version may have added. */
export function fields<Fields extends Shapes, Optional extends Shapes = Record<never, never>>(
  needed: Fields,
  optional?: Optional,
): Shape<Values<Fields, Optional>> {
  return new Shape((raw) => {
    if (!isRecord(raw)) return { path: [], message: 'expected an object' };
    for (const [name, field] of Object.entries(needed)) {
      const isThere = Object.hasOwn(raw, name);
      const issue = isThere ? field.issueAt(name, raw[name]) : { path: [name], message: 'is missing' };
      if (issue !== undefined) return issue;
    }
    for (const [name, field] of Object.entries(optional ?? {})) {
      const issue = raw[name] === undefined ? undefined : field.issueAt(name, raw[name]);
      if (issue !== undefined) return issue;
    }
    return undefined;
  });
}

/** An object with these fields and no others. */
export function exactly<Fields extends Shapes, Optional extends Shapes = Record<never, never>>(
  needed: Fields,
  optional?: Optional,
): Shape<Values<Fields, Optional>> {
  const known = new Set([...Object.keys(needed), ...Object.keys(optional ?? {})]);
  const loose = fields(needed, optional);
  return new Shape((raw) => {
    const parsed = loose.safeParse(raw);
    if (!parsed.success) return parsed.error.issues[0];
    const stranger = Object.keys(parsed.data).find((name) => !known.has(name));
    return stranger === undefined ? undefined : { path: [stranger], message: 'is not known' };
  });
}

export function either<One, Other>(one: Shape<One>, other: Shape<Other>): Shape<One | Other> {
  return shape('another form', (raw) => one.fits(raw) || other.fits(raw));
}

function isRecord(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
