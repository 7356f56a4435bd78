/**
 * Functions that run SQL from a text, reach files or other servers, or change the guarding session: never run through
 * DevDB.
 */
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

/** Whether a function of this name must never run, in whatever schema it is. */
export function isRefusedFunction(name: string): boolean {
  return REFUSED.some((pattern) => pattern.test(name));
}

/**
 * Volatile because their result differs from call to call, not because they change anything. Only those of Postgres
 * itself and of the extensions below count: a function of the same name in a user's schema is not harmless.
 */
export const HARMLESS_VOLATILE: readonly string[] = [
  ...['random', 'random_normal', 'setseed', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'array_sample', 'array_shuffle'],
  ...['uuid_generate_v1', 'uuid_generate_v1mc', 'uuid_generate_v4', 'gen_random_bytes', 'gen_salt', 'fips_mode'],
  ...['pgp_sym_encrypt', 'pgp_sym_encrypt_bytea', 'pgp_pub_encrypt', 'pgp_pub_encrypt_bytea', 'normal_rand'],
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
  ...['pg_stat_statements', 'pg_stat_statements_info', 'pg_buffercache_pages', 'pg_buffercache_summary'],
  ...['bernoulli', 'system', 'lo_get'],
];

/** Harmless for the database, but their effect on the session survives its reset: the connection is not used again. */
export const LEAVES_A_MARK: ReadonlySet<string> = new Set(['setseed']);

/**
 * Not volatile, but they run code selected by their arguments: an input function, a domain's check, a partitioned
 * table's support function.
 */
export const RUNS_WHAT_IT_IS_GIVEN: readonly string[] = [
  ...['domain_in', 'array_in', 'record_in', 'range_in', 'multirange_in', 'enum_in'],
  ...['pg_input_is_valid', 'pg_input_error_info', 'satisfies_hash_partition'],
  ...['table_to_xml', 'table_to_xml_and_xmlschema', 'schema_to_xml', 'schema_to_xml_and_xmlschema'],
  ...['database_to_xml', 'database_to_xml_and_xmlschema', 'query_to_xmlschema', 'cursor_to_xmlschema'],
];

/** Extensions whose functions, as shipped, do what their labels say. */
export const KNOWN_EXTENSIONS: readonly string[] = [
  ...['pg_trgm', 'uuid-ossp', 'citext', 'hstore', 'pgcrypto', 'ltree', 'unaccent', 'cube', 'earthdistance', 'seg'],
  ...['intarray', 'fuzzystrmatch', 'btree_gin', 'btree_gist', 'isn', 'bloom', 'rum', 'dict_int', 'dict_xsyn'],
  ...['tsm_system_rows', 'tsm_system_time', 'pg_stat_statements', 'pg_buffercache', 'tablefunc', 'sslinfo'],
  ...['postgis', 'postgis_raster', 'postgis_topology', 'postgis_sfcgal', 'pgrouting', 'h3', 'vector', 'timescaledb'],
];
