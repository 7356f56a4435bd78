import { isWord, type Token } from './tokenize.ts';

const TRANSACTION = 'A transaction cannot span calls: each statement runs in its own. Send the statement alone.';
const SETTING = 'Settings end with the call, and settings of the server are not changed from here.';
const PREPARED = 'Prepared statements end with the call. Send the statement itself.';
const SERVER = 'It runs or stops parts of the server. Use a client of the server’s administrator.';
const HANDLER = 'HANDLER reads past the transaction that guards reads. Write a SELECT.';

/** Statements that are never run, by their first word, with the reason. */
export const REFUSED_VERBS: ReadonlyMap<string, string> = new Map([
  ['BEGIN', TRANSACTION],
  ['START', TRANSACTION],
  ['COMMIT', TRANSACTION],
  ['ROLLBACK', TRANSACTION],
  ['SAVEPOINT', TRANSACTION],
  ['RELEASE', TRANSACTION],
  ['XA', TRANSACTION],
  ['LOCK', 'Locks end with the call, so they are useless here.'],
  ['UNLOCK', 'Locks end with the call, so there is nothing to unlock.'],
  ['SET', SETTING],
  ['USE', 'The database of a call is the connection’s. Write database.table instead.'],
  ['PREPARE', PREPARED],
  ['EXECUTE', PREPARED],
  ['DEALLOCATE', PREPARED],
  ['HANDLER', HANDLER],
  ['LOAD', 'LOAD reads files of the server or of this machine. Import the rows with INSERT.'],
  ['IMPORT', 'IMPORT reads files of the server. Import the rows with INSERT.'],
  ['INSTALL', SERVER],
  ['UNINSTALL', SERVER],
  ['SHUTDOWN', SERVER],
  ['RESTART', SERVER],
  ['KILL', SERVER],
  ['RESET', SERVER],
  ['PURGE', SERVER],
  ['CHANGE', SERVER],
  ['STOP', SERVER],
  ['CLONE', SERVER],
  ['BACKUP', SERVER],
  ['BINLOG', SERVER],
  ['SIGNAL', 'It is part of a stored program and does nothing by itself.'],
  ['RESIGNAL', 'It is part of a stored program and does nothing by itself.'],
  [
    'DELIMITER',
    'DELIMITER is a command of the mysql client. Leave it out: a body with semicolons is one statement here.',
  ],
  ['SOURCE', 'SOURCE is a command of the mysql client. Send the statements themselves, one per call.'],
]);

/** Why a statement is refused for a later word: it reaches files or loads code into the server. */
export function refusedByWords(tokens: readonly Token[], verb: string): string | undefined {
  if (tokens.some((token) => isWord(token, 'OUTFILE') || isWord(token, 'DUMPFILE'))) {
    return 'INTO OUTFILE and INTO DUMPFILE write files of the server. export-query writes rows to a file of the project.';
  }
  if (verb === 'CREATE' && tokens.some((token) => isWord(token, 'SONAME'))) {
    return 'CREATE FUNCTION ... SONAME loads code into the server. Use a client of the server’s administrator.';
  }
  return undefined;
}
