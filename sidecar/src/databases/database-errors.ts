import { AppError } from '@devdb/shared/errors';
import { nameText } from '@devdb/shared/plain-text';
import type { Pinned, Skipped } from '../detection/detector.ts';
import { inQuotes } from '../host/prompt-words.ts';
import { type Entry, placed, placeOf } from './entry.ts';

/** What is known when a database is not found. */
export interface About {
  readonly projectRoot: string;
  readonly entries: readonly Entry[];
  readonly skipped: readonly Skipped[];
}

const EXAMPLE = '[{"type":"sqlite","path":"data/app.db"}]';
const SHOWN_REASONS = 3;

/** There is no default: nothing was found, or everything needs approval first. */
export function noDatabase({ projectRoot, entries, skipped }: About): AppError {
  const asking = entries.find(({ needsTrust }) => needsTrust !== undefined);
  if (asking) return notApproved(asking, projectRoot);
  const [first] = entries;
  if (first) return noDefault(first);
  const left = skipped
    .slice(0, SHOWN_REASONS)
    .map(({ file, line, reason }) => (file === '.' ? reason : `${placeOf({ file, line })} ${reason}`));
  const why = left.length === 0 ? '' : ` What was seen: ${left.join('; ')}.`;
  return new AppError(
    'E_NO_CONNECTION',
    // The names of forty kinds of project would cost a model more tokens than they are worth.
    `No database was found for this project.${why}`,
    {
      hint: `Name it in a file .devdbrc in the project's root, e.g. ${EXAMPLE}, or run \`devdb doctor --project ${inQuotes(projectRoot)}\` to see what was looked for.`,
      details: { skipped: skipped.map(placed) },
    },
  );
}

const NO_DEFAULT = {
  tests: 'it is for test runs',
  unread: 'the settings name another database, which DevDB cannot read',
  undecided: 'a condition in the settings, or how the application is started, decides whether it is used',
  beside: 'it belongs to a program that runs beside the application',
  template: 'it is a file from which the application copies its own, or an example',
} as const;

/** Why a database that may be used is no default. */
export function noDefaultReason({ neverDefault = 'unread' }: Pick<Entry, 'neverDefault'>): string {
  return NO_DEFAULT[neverDefault];
}

function noDefault(entry: Entry): AppError {
  const { id, source } = entry;
  return new AppError(
    'E_NO_CONNECTION',
    `This project has no default database. ${id} (${placeOf(source)}) is not taken for it: ${noDefaultReason(entry)}.`,
    {
      hint: `Pass connection "${id}" to use it, or make it the default in .devdbrc: [{"default":"${id}"}].`,
      details: { connections: [id] },
    },
  );
}

/** `.devdbrc` pins a default that the project does not have. */
export function unknownPin({ id, file, line }: Pinned, { projectRoot, entries }: About): AppError {
  const ids = entries.map((entry) => entry.id);
  return new AppError(
    'E_NO_CONNECTION',
    `${placeOf({ file, line })} pins the default "${nameText(id)}", which was not found.`,
    {
      hint:
        ids.length === 0
          ? `No database was found at all; \`devdb doctor --project ${inQuotes(projectRoot)}\` says why.`
          : `Pin one of these there, or pass one as connection: ${ids.join(', ')}.`,
      details: { pinned: id, connections: ids },
    },
  );
}

/** No database of the project has this id. */
export function unknownId(id: string, { projectRoot, entries }: About): AppError {
  const ids = entries.map((entry) => entry.id);
  return new AppError('E_NO_CONNECTION', `No connection "${nameText(id)}" in this project.`, {
    hint:
      ids.length === 0
        ? `None was found at all; \`devdb doctor --project ${inQuotes(projectRoot)}\` says why, and .devdbrc can name one.`
        : `Its connections are: ${ids.join(', ')}. You can add another to .devdbrc.`,
    details: { connections: ids },
  });
}

/** Found, but the user has to approve it once. */
export class NotApproved extends AppError {
  readonly entry: Entry;
  readonly #what: string;

  constructor(entry: Entry, projectRoot: string) {
    const why = entry.needsTrust ?? 'it needs an approval';
    const what = `The database ${entry.id} (${placeOf(entry.source)}) is not approved`;
    super('E_NO_CONNECTION', `${what}: ${why}.`, {
      hint: `A person can approve it once with \`devdb trust --project ${inQuotes(projectRoot)} --connection "${entry.id}"\`.`,
      details: { connection: entry.id, needsTrust: why },
    });
    this.entry = entry;
    this.#what = what;
  }

  /** The same after a person was asked and did not agree. */
  declined(): AppError {
    return new AppError('E_NO_CONNECTION', `${this.#what}: the user did not agree to connect to it.`, {
      hint: 'Do not ask again. Use another connection (see list-connections), or ask the person what they want.',
      details: this.details,
    });
  }
}

/** The error of a database that needs approval first. */
export function notApproved(entry: Entry, projectRoot: string): NotApproved {
  return new NotApproved(entry, projectRoot);
}

/** Found, but this build has no engine for it. */
export function notInThisBuild(entry: Entry, entries: readonly Entry[]): AppError {
  const others = entries.filter((other) => other.trusted && other.supported && other.missing.length === 0);
  const ids = others.map((other) => other.id).join(', ');
  return new AppError(
    'E_NO_CONNECTION',
    `The database ${entry.id} (${placeOf(entry.source)}) is of kind ${entry.kind}: engine not in this build.`,
    {
      hint:
        ids === ''
          ? 'Only SQLite databases can be opened; name one in .devdbrc.'
          : `Pass one of these as connection: ${ids}.`,
      details: { connection: entry.id, kind: entry.kind },
    },
  );
}

/** Its settings refer to environment variables that are not set. */
export function unresolvedReference(entry: Entry): AppError {
  if (entry.refused.length > 0) return refusedReference(entry);
  const names = entry.missing.map(nameText).join(', ');
  return new AppError(
    'E_NO_CONNECTION',
    `The database ${entry.id} (${placeOf(entry.source)}) refers to ${names}, which neither the project's .env files nor the environment of this process set.`,
    {
      hint: `Set it in the project's .env, or in the environment that the editor (or devdb serve) is started from.`,
      details: { connection: entry.id, missing: entry.missing },
    },
  );
}

/** A variable that may be a secret is used where it would be displayed or sent to an unproven server. */
function refusedReference(entry: Entry): AppError {
  const names = entry.refused.map(nameText).join(', ');
  return new AppError(
    'E_NO_CONNECTION',
    `The database ${entry.id} (${placeOf(entry.source)}) refers to ${names} outside its password, and its name does not show that it is not a secret.`,
    {
      hint: "Set it in the project's .env, or use one whose name ends in _HOST, _PORT, _DB, _DATABASE, _USER, _PATH or the like. Any variable can be used as the password, once a person has approved it.",
      details: { connection: entry.id, refused: entry.refused },
    },
  );
}
