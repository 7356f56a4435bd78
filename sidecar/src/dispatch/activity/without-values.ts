import type { EngineKind } from '@devdb/shared/engines';
import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { subjectOf } from './told-input.ts';

/** Where dialects read a text differently: from here on nothing is sure to be no value. */
const UNCERTAIN = /\\|#|\$\w*\$|--\S/;
const PIECES = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|(?<![\w$@])\d[\w.]*/g;
/** Engines that take text in double quotes for a name only. */
const NAMES_IN_QUOTES = new Set<EngineKind | undefined>(['postgres', 'mssql']);

/** A statement without its literals and comments. What could be a value in any dialect is left out. */
export function withoutValues(statement: string, kind: EngineKind | undefined): string {
  const doubt = UNCERTAIN.exec(statement)?.index;
  const sure = doubt === undefined ? statement : statement.slice(0, doubt);
  const told = sure.replace(PIECES, (piece) => {
    if (piece.startsWith("'")) return "'?'";
    if (piece.startsWith('"')) return NAMES_IN_QUOTES.has(kind) ? piece : '"?"';
    return piece.startsWith('-') || piece.startsWith('/') ? ' ' : '?';
  });
  return doubt === undefined ? told : `${told}…`;
}

/** A call and its details as they are kept or exported when values are not wanted. */
export function callWithoutValues(record: CallRecord, details: CallDetails, kind: EngineKind | undefined) {
  const statement = details.statement === undefined ? undefined : withoutValues(details.statement, kind);
  return {
    record: { ...record, subject: subjectOf({ ...(statement === undefined ? {} : { statement }) }) },
    details: statement === undefined ? {} : { statement },
  };
}
