/** Run SQL hidden in a text, reach files or other servers, or change the session that guards: never through DevDB. */
const REFUSED = [
  /^pg_read_(binary_)?file(_old)?$/,
  /^pg_ls_/,
  /^pg_stat_file$/,
  /^pg_file_/,
  /^pg_logdir_ls$/,
  /^pg_(hba_file_rules|ident_file_mappings|show_all_file_settings|current_logfile)$/,
  /^lo_(import|export)$/,
  /^dblink/,
  /^set_config$/,
  /^(query|cursor|table|schema|database)_to_xml/,
  /^ts_stat$/,
  /^(crosstab|connectby|xpath_table)/,
  /^binary_upgrade_/,
  /^pg_(stop_making_pinned_objects|extension_config_dump)$/,
  /^plpgsql_/,
  /^http(_get|_post|_put|_delete|_patch|_head)?$/,
  /^(plsh|plpython|plperl)/,
] as const;

/** Volatile because their answer differs from call to call, not because they change anything. */
const HARMLESS_VOLATILE = new Set([
  ...['random', 'random_normal', 'setseed', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'array_sample', 'array_shuffle'],
  ...['uuid_generate_v1', 'uuid_generate_v1mc', 'uuid_generate_v4', 'gen_random_bytes', 'gen_salt'],
  ...['clock_timestamp', 'timeofday', 'current_query', 'currval', 'lastval', 'pg_sequence_last_value'],
  ...['pg_sleep', 'pg_sleep_for', 'pg_sleep_until'],
  ...['pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size', 'pg_database_size'],
  ...['pg_tablespace_size', 'pg_partition_tree', 'pg_partition_ancestors'],
  ...['pg_is_in_recovery', 'pg_blocking_pids', 'pg_safe_snapshot_blocking_pids', 'pg_lock_status', 'pg_prepared_xact'],
  ...['pg_current_wal_lsn', 'pg_current_wal_insert_lsn', 'pg_current_wal_flush_lsn', 'pg_last_wal_receive_lsn'],
  ...['pg_last_wal_replay_lsn', 'pg_last_xact_replay_timestamp', 'pg_is_wal_replay_paused'],
  ...['pg_xact_status', 'txid_status', 'pg_xact_commit_timestamp', 'pg_last_committed_xact'],
  ...['pg_jit_available', 'pg_get_wait_events', 'pg_collation_actual_version', 'pg_database_collation_actual_version'],
  ...['pg_stat_get_io', 'pg_stat_get_backend_io', 'pg_stat_get_backend_wal', 'pg_stat_have_stats'],
  ...['bernoulli', 'system', 'lo_get'],
]);

/** Whether a function of this name must never run, in whatever schema it is. */
export function isRefusedFunction(name: string): boolean {
  return REFUSED.some((pattern) => pattern.test(name));
}

/** Of volatile functions, those that may change something. */
export function mayChange(volatile: readonly string[]): string[] {
  return volatile.filter((name) => !HARMLESS_VOLATILE.has(name));
}
