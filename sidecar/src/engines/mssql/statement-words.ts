/** Reserved words that can start a statement. An unquoted name cannot be one of them: those need brackets. */
export const STATEMENT_WORDS: ReadonlySet<string> = new Set([
  'ALTER',
  'BACKUP',
  'BEGIN',
  'BREAK',
  'BULK',
  'CHECKPOINT',
  'CLOSE',
  'COMMIT',
  'CONTINUE',
  'CREATE',
  'DBCC',
  'DEALLOCATE',
  'DECLARE',
  'DELETE',
  'DENY',
  'DROP',
  'DUMP',
  'ELSE',
  'END',
  'EXEC',
  'EXECUTE',
  'FETCH',
  'GOTO',
  'GRANT',
  'IF',
  'INSERT',
  'KILL',
  'LINENO',
  'LOAD',
  'MERGE',
  'OPEN',
  'PRINT',
  'RAISERROR',
  'READTEXT',
  'RECONFIGURE',
  'RESTORE',
  'RETURN',
  'REVERT',
  'REVOKE',
  'ROLLBACK',
  'SAVE',
  'SET',
  'SETUSER',
  'SHUTDOWN',
  'TRUNCATE',
  'UPDATE',
  'UPDATETEXT',
  'USE',
  'WAITFOR',
  'WHILE',
  'WRITETEXT',
]);

const SESSION =
  'Each call has its own connection, so it would end with the call. Send only the statement that needs it.';
const TRANSACTION = 'A transaction cannot span calls: each statement runs in its own. Send the statement alone.';
const CURSOR = 'A cursor would end with the call. Send the query itself.';
const PROGRAM = 'Programs of several steps do not run here. Send one statement per call, or make it a procedure.';
const SERVER =
  "It acts on the server, its files or other sessions. Do this step with the server's own tools, e.g. sqlcmd.";

/** Statements that never run, and why. */
export const REFUSED_VERBS: Readonly<Record<string, string>> = {
  BEGIN: TRANSACTION,
  COMMIT: TRANSACTION,
  ROLLBACK: TRANSACTION,
  SAVE: TRANSACTION,
  SET: SESSION,
  SETUSER: SESSION,
  USE: `${SESSION} Another database is reached by a name of three parts, or by a connection of its own.`,
  REVERT: SESSION,
  DECLARE: SESSION,
  OPEN: CURSOR,
  CLOSE: CURSOR,
  FETCH: CURSOR,
  DEALLOCATE: CURSOR,
  IF: PROGRAM,
  ELSE: PROGRAM,
  END: PROGRAM,
  WHILE: PROGRAM,
  BREAK: PROGRAM,
  CONTINUE: PROGRAM,
  GOTO: PROGRAM,
  RETURN: PROGRAM,
  LINENO: PROGRAM,
  RAISERROR: PROGRAM,
  THROW: PROGRAM,
  WAITFOR: 'It only waits. Send the statement to run.',
  GO: 'GO is a command of client programs, not of the server. Send one statement per call, without GO.',
  BACKUP: SERVER,
  RESTORE: SERVER,
  BULK: SERVER,
  CHECKPOINT: SERVER,
  DBCC: SERVER,
  DUMP: SERVER,
  KILL: SERVER,
  LOAD: SERVER,
  RECONFIGURE: SERVER,
  SHUTDOWN: SERVER,
  READTEXT: SERVER,
  WRITETEXT: SERVER,
  UPDATETEXT: SERVER,
  SEND: SERVER,
  RECEIVE: SERVER,
};

/** Functions that reach files, other servers or the network from inside a query. */
const OUTSIDE_FUNCTIONS: ReadonlySet<string> = new Set([
  'ai_generate_embeddings',
  'dm_os_enumerate_filesystem',
  'dm_os_file_exists',
  'fn_dump_dblog',
  'fn_get_audit_file',
  'fn_get_audit_file_v2',
  'fn_trace_getinfo',
  'fn_trace_gettable',
  'fn_xe_file_target_read_file',
  'opendatasource',
  'openquery',
  'openrowset',
  'openxml',
]);

/** Whether a call of this name reaches outside the database. */
export function isOutsideFunction(name: string): boolean {
  return OUTSIDE_FUNCTIONS.has(name.toLowerCase());
}

const OUTSIDE_PROCEDURES =
  /^(?:xp_|sp_OA|sp_(?:configure|executesql|prepexec|prepare|execute|addlinkedserver|addlinkedsrvlogin|dropserver|serveroption|addextendedproc|addsrvrolemember|password|addlogin|send_dbmail|start_job|add_job|add_jobstep|update_job|invoke_external_rest_endpoint|execute_external_script|trace_\w+|attach_\w+|detach_db|replcmds|control_\w+)$)/i;

/** Whether a procedure of this name reaches outside the database, or hides the statement it runs. */
export function isOutsideProcedure(name: string): boolean {
  return OUTSIDE_PROCEDURES.test(name);
}

/** Table hints that lock the rows read against everybody else. */
export const LOCKING_HINTS: ReadonlySet<string> = new Set(['UPDLOCK', 'XLOCK', 'TABLOCKX']);

/** In these the second word is part of the verb. */
export const TWO_WORD_VERBS: ReadonlySet<string> = new Set([
  'CREATE',
  'ALTER',
  'DROP',
  'TRUNCATE',
  'DISABLE',
  'ENABLE',
]);
