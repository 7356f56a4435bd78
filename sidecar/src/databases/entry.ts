import { nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ToolOutput } from '@devdb/shared/tools';
import type { Finding, PasswordCommand, Skipped, Source } from '../detection/detector.ts';
import type { EngineKind, Guard, Target } from '../engines/engine.ts';
import { ENGINE_FACTS } from '../engines/engine-facts.ts';
import type { Known } from './known.ts';

/** One database of the project, as callers see it. */
export interface Entry {
  readonly id: PlainText;
  readonly name: PlainText;
  /** The name as its source spells it. */
  readonly givenName: string;
  readonly kind: EngineKind;
  readonly target: Target;
  /** The target as shown to people; never a password. */
  readonly shown: PlainText;
  readonly source: Source;
  readonly isDefault: boolean;
  readonly trusted: boolean;
  readonly needsTrust: PlainText | undefined;
  /** Why it is no default although it may be used. */
  readonly neverDefault: Finding['neverDefault'];
  readonly supported: boolean;
  readonly guard: Guard;
  /** Environment variables that must be set before it can be opened. */
  readonly missing: readonly string[];
  /** Those that are set but may not be used in the fields that name them. */
  readonly refused: readonly string[];
  /** A person approved it, even if it needs no approval. */
  readonly approved: boolean;
  readonly trustHash: string;
  /** The command that gives the password, run when a call is about to connect. */
  readonly passwordCommand: PasswordCommand | undefined;
}

/** How strongly the reads of an open database are guarded; undefined while it is not open. */
export type GuardOf = (entry: Entry) => Guard | undefined;

/** A known database as a call sees it now. */
export function toEntry(
  { id, found, needsTrust, trustHash }: Known,
  now: Pick<Entry, 'trusted' | 'approved' | 'isDefault' | 'supported'>,
): Entry {
  const { name: givenName, kind, target, shown, source, unresolved = [], passwordCommand, neverDefault } = found;
  const missing = [...new Set(unresolved.flatMap(({ variables }) => variables))];
  const refused = [...new Set(unresolved.flatMap((field) => field.refused ?? []))];
  const guard = now.supported
    ? ENGINE_FACTS[kind].guard
    : { ...ENGINE_FACTS[kind].guard, reason: 'This build has no engine for it: it is not connected.' };
  const name = nameText(givenName);
  const facts = { id, name, givenName, kind, target, shown, source, needsTrust, neverDefault };
  return { ...facts, guard, missing, refused, trustHash, passwordCommand, ...now };
}

/** The entry with this id, or with this name where only one has it. */
export function entryNamed(entries: readonly Entry[], id: string): Entry | undefined {
  const named = entries.filter(({ name, givenName }) => name === id || givenName === id);
  return entries.find((entry) => entry.id === id) ?? (named.length === 1 ? named[0] : undefined);
}

type Listed = ToolOutput<'list-connections'>['connections'][number];
type LeftOut = ToolOutput<'list-connections'>['skipped'][number];
/** An output type whose displayed fields are plain text. */
type Told<Output, Field extends keyof Output> = Omit<Output, Field> & { readonly [Name in Field]: PlainText };

/** The file and line of a source, for people. */
export function placeOf({ file, line }: Pick<Source, 'file' | 'line'>): PlainText {
  return line === undefined ? pathText(file) : plain`${pathText(file)} line ${line}`;
}

/** The entry as list-connections returns it. */
export function toOutput(
  entry: Entry,
  guard: Guard = entry.guard,
): Told<Listed, 'id' | 'name' | 'target' | 'guardReason'> {
  const { id, name, kind, shown, source, isDefault, trusted, needsTrust } = entry;
  return {
    id,
    name,
    type: kind,
    target: shown,
    source: { file: pathText(source.file), ...(source.line === undefined ? {} : { line: source.line }), by: source.by },
    isDefault,
    trusted,
    ...(needsTrust === undefined ? {} : { needsTrust }),
    guard: guard.strength,
    guardReason: sentenceText(guard.reason),
  };
}

/** The same for what was left out. */
export function placed({ file, line, reason }: Skipped): Told<LeftOut, 'file' | 'reason'> {
  const told = { file: pathText(file), reason: sentenceText(reason) };
  return line === undefined ? told : { ...told, line };
}
