/** A value that program code gives to a name: a literal, or what a variable of the environment says. */
export interface CodeField {
  readonly line: number;
  readonly name: string;
  /** The literal, or the fallback of the variable. */
  readonly value: string | undefined;
  readonly variable: string | undefined;
}

const CODE = /\.(?:[cm]?[jt]sx?|py|php|rb|exs?|go|rs|cs|java|kt)$/i;
const MAX_LINE = 600;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*|--)/;
/** `host: `, `'HOST' => `, `config["URL"] = `, `Host:`, `db.host = ` */
const NAMED = /([A-Za-z_][\w.-]{0,60})["'`\]]{0,2}[ \t]{0,20}(?::=|=>|=|:)[ \t]{0,20}(?![=:>])/g;
const LITERAL = /^["'`]([^"'`\\]{0,300})["'`]|^(\d{1,5})(?!\w)/;
/** A call or member by which programs read a variable, up to the variable's name. */
const VARIABLE =
  /^[^,;{}]{0,120}?(?:(?:env|ENV|Env)(?:\.|\.\w{1,12}\(["'`]|\w{0,20}!?[([]["'`])|\bget(?:OrThrow)?(?:<\w{1,20}>)?\(["'`])([A-Z][A-Z0-9_]{1,60})\b/;
const FALLBACK =
  /^["'`]?\)?[ \t]{0,9}(?:,|\|\||\?\?|or\b|\?:)[ \t]{0,9}(?:default=)?(?:["'`]([^"'`\\]{0,300})["'`]|(\d{1,5})(?!\w))/;

/** Whether a file's name means program code. */
export function isCode(file: string): boolean {
  return CODE.test(file);
}

/** The named values of program code, line by line; what the code computes has none. */
export function codeFieldsIn(text: string): readonly CodeField[] {
  return text.split('\n').flatMap((line, index) => fieldsOf(line, index + 1));
}

function fieldsOf(text: string, line: number): readonly CodeField[] {
  if (text.length > MAX_LINE || COMMENT.test(text)) return [];
  return [...text.matchAll(NAMED)].flatMap((match): CodeField[] => {
    const [written, name = ''] = match;
    const rest = text.slice(match.index + written.length);
    const literal = LITERAL.exec(rest);
    if (literal !== null) return [{ line, name, value: literal[1] ?? literal[2], variable: undefined }];
    const [read, variable] = VARIABLE.exec(rest) ?? [];
    if (read === undefined || variable === undefined) return [];
    const fallback = FALLBACK.exec(rest.slice(read.length));
    return [{ line, name, value: fallback?.[1] ?? fallback?.[2], variable }];
  });
}
