import { ENGINES, type EngineKind } from '@devdb/shared/engines';
import { tablePath } from '../databases/schema-text.ts';

const PLAIN = /^[a-z_][a-z0-9_]*$/;
const PLAIN_ANY_CASE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names that people give tables and that at least one engine reads as a word of its own. */
const RESERVED = new Set(
  (
    'all and any as authorization between by case check collate column condition constraint create cross current_user ' +
    'database default delete desc distinct drop else end except exists explain file foreign from full function grant ' +
    'group having if in index inner insert intersect into is join key keys kill left like limit lock match natural not ' +
    'null offset on option or order outer plan primary procedure public range rank references release replace return ' +
    'right row rows rule schema select session_user set system table then to transaction trigger union unique update ' +
    'usage user using values view when where window with'
  ).split(' '),
);

/** A table's name as a statement has it: with quotes where it would be read as something else. */
export function writtenTable(table: string, kind: EngineKind): string {
  const { schema, name } = tablePath(table, kind);
  const [open, close] = ENGINES[kind].quotes;
  // Postgres reads capitals without quotes as small letters.
  const plain = kind === 'postgres' ? PLAIN : PLAIN_ANY_CASE;
  return [schema, name]
    .flatMap((part) => {
      if (part === undefined) return [];
      const isPlain = plain.test(part) && !RESERVED.has(part.toLowerCase());
      return [isPlain ? part : `${open}${part.replaceAll(close, close + close)}${close}`];
    })
    .join('.');
}
