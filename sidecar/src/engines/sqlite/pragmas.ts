/** What a PRAGMA does to the database, the guard or the connection. */
type PragmaRule = 'reads' | 'takes-no-value' | 'writes' | 'lifts-guard' | 'corrupts' | 'connection-only';

const READS_WITH_ARGUMENT = [
  'foreign_key_check',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
] as const;

const READS = [
  'collation_list',
  'compile_options',
  'data_version',
  'database_list',
  'freelist_count',
  'function_list',
  'module_list',
  'page_count',
  'pragma_list',
] as const;

/** Stored in the file: querying them is a read, setting them a write. */
const FILE_SETTINGS = ['application_id', 'auto_vacuum', 'journal_mode', 'user_version'] as const;

/** Do their work even when only queried. */
const WRITES = ['incremental_vacuum', 'optimize', 'wal_checkpoint'] as const;

const GUARD_SETTINGS = ['query_only', 'trusted_schema'] as const;
const KEYS_AND_FOLDERS = [
  'activate_extensions',
  'data_store_directory',
  'hexkey',
  'hexrekey',
  'key',
  'rekey',
  'temp_store_directory',
  'textkey',
  'textrekey',
] as const;
const CORRUPTS = ['schema_version', 'writable_schema'] as const;

/** Forgotten when the connection closes: setting one here has no effect, querying one is harmless. */
const CONNECTION_SETTINGS = [
  'analysis_limit',
  'automatic_index',
  'busy_timeout',
  'cache_size',
  'cache_spill',
  'cell_size_check',
  'checkpoint_fullfsync',
  'count_changes',
  'defer_foreign_keys',
  'empty_result_callbacks',
  'encoding',
  'foreign_keys',
  'full_column_names',
  'fullfsync',
  'hard_heap_limit',
  'ignore_check_constraints',
  'journal_size_limit',
  'legacy_alter_table',
  'locking_mode',
  'max_page_count',
  'mmap_size',
  'page_size',
  'read_uncommitted',
  'recursive_triggers',
  'reverse_unordered_selects',
  'secure_delete',
  'short_column_names',
  'soft_heap_limit',
  'synchronous',
  'temp_store',
  'threads',
  'wal_autocheckpoint',
] as const;

const NEVER_READ = ['case_sensitive_like', 'shrink_memory'] as const;

const READABLE = new Set<string>([
  ...READS,
  ...READS_WITH_ARGUMENT,
  ...FILE_SETTINGS,
  ...GUARD_SETTINGS,
  ...CORRUPTS,
  ...CONNECTION_SETTINGS,
]);
const KNOWN = new Set<string>([...READABLE, ...WRITES, ...NEVER_READ, ...KEYS_AND_FOLDERS]);

function has(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function ruleOf(name: string, argument: string | undefined): PragmaRule | undefined {
  if (has(READS_WITH_ARGUMENT, name)) return 'reads';
  if (argument === undefined && READABLE.has(name)) return 'reads';
  if (has(READS, name)) return 'takes-no-value';
  // Without a journal, an interrupted statement leaves a broken file.
  if (name === 'journal_mode' && /^(?:off|memory)$/i.test(argument ?? '')) return 'corrupts';
  if (has(WRITES, name) || has(FILE_SETTINGS, name)) return 'writes';
  if (has(GUARD_SETTINGS, name) || has(KEYS_AND_FOLDERS, name)) return 'lifts-guard';
  if (has(CORRUPTS, name)) return 'corrupts';
  if (has(CONNECTION_SETTINGS, name) || has(NEVER_READ, name)) return 'connection-only';
  return undefined;
}

/** Judges a PRAGMA by its name and argument: something to report about, or a value to set. */
export function judgePragma(
  rawName: string,
  argument: string | undefined,
): { readonly effect: 'read' | 'write' } | { readonly effect: 'refused'; readonly reason: string } {
  const name = rawName.toLowerCase();
  switch (ruleOf(name, argument)) {
    case 'reads':
      return { effect: 'read' };
    case 'takes-no-value':
      return refused(`PRAGMA ${name} takes no value. Write PRAGMA ${name} alone.`);
    case 'writes':
      return { effect: 'write' };
    case 'lifts-guard':
      return refused(`PRAGMA ${name} would lift the guard of this connection. Leave it out: reads work without it.`);
    case 'corrupts':
      return refused(`Setting PRAGMA ${name} can destroy the database. Use ALTER TABLE, or the default journal.`);
    case 'connection-only':
      return refused(
        `PRAGMA ${name} changes only the connection, which is not kept between calls: it has no effect here. Leave it out.`,
      );
    case undefined:
      return refused(
        `DevDB knows no PRAGMA ${JSON.stringify(name)}. SELECT name FROM pragma_pragma_list lists those of SQLite.`,
      );
  }
}

const TABLE_PREFIX = 'pragma_';

/** Whether reading a table such as `pragma_optimize` runs a PRAGMA that does more than report. */
export function isHarmfulPragmaTable(name: string): boolean {
  const head = name.slice(0, TABLE_PREFIX.length);
  if (head.length === name.length || head.toLowerCase() !== TABLE_PREFIX) return false;
  const pragma = name.slice(TABLE_PREFIX.length).toLowerCase();
  return KNOWN.has(pragma) && !READABLE.has(pragma);
}

function refused(reason: string): { readonly effect: 'refused'; readonly reason: string } {
  return { effect: 'refused', reason };
}
