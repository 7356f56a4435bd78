import fc from 'fast-check';
import type { Edit } from '../../src/host/jsonc-text.ts';

/** Whitespace, line breaks and comments, as people put them between tokens. */
const blank = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r\n', '// é "x": {\n', '/* , } */', '//\r\n'), { maxLength: 3 })
  .map((parts) => parts.join(''));
const value: fc.Arbitrary<string> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.stringify(json)),
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.stringify(json, null, '\t').replaceAll('\n', '\r\n')),
);
/** A name other than ours, for a server or anything else. */
export const serverName = fc.string().filter((name) => !['devdb', 'mcpServers', '__proto__'].includes(name));

function objectText(
  entries: readonly (readonly [string, string, string, string])[],
  end: string,
  comma: boolean,
): string {
  const parts = entries.map(([before, name, gap, json]) => `${before}${JSON.stringify(name)}${gap}:${gap}${json}`);
  return `{${parts.join(',')}${comma && parts.length > 0 ? ',' : ''}${end}}`;
}

function objectOf(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const entries = fc.uniqueArray(fc.tuple(blank, serverName, blank, inner), {
    selector: ([, name]) => name,
    maxLength: 3,
  });
  return fc.tuple(entries, blank, fc.boolean()).map(([list, end, comma]) => objectText(list, end, comma));
}

/**
 * A document with comments and trailing commas, with or without a list of servers, but without a server of our name.
 */
export const jsoncDocument = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    head: blank,
    others: fc.uniqueArray(fc.tuple(blank, serverName, blank, value), { selector: ([, name]) => name, maxLength: 2 }),
    servers: fc.option(objectOf(value)),
    isFirst: fc.boolean(),
    end: blank,
    tail: blank,
    comma: fc.boolean(),
  })
  .map(({ mark, head, others, servers, isFirst, end, tail, comma }) => {
    const group = servers === null ? [] : [['', 'mcpServers', ' ', servers] as const];
    return `${mark}${head}${objectText(isFirst ? [...group, ...others] : [...others, ...group], end, comma)}${tail}`;
  });

const pieces = ['{', '}', '[', ']', '"', ',', ':', '"mcpServers"', '"devdb"', '1', '//', '/*', '*/', '\n', '\\', ' '];

/** Tokens and names of such a document in any order: mostly not a document at all. */
export const jsoncPieces = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(''));

/** The text after editing an editable document. */
export function editedText(edit: Edit): string {
  if (!edit.ok) throw new Error(`line ${edit.line}: ${edit.reason}`);
  return edit.text;
}
