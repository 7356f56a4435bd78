import { isMysql, type ServerVersion } from './server-version.ts';

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** How a call is written: `f(1)`, `f (1)` or `` `f`(1) ``. The server's grammar distinguishes the three. */
export type CallForm = 'tight' | 'spaced' | 'quoted';

// Every name below is a built-in function on MySQL from 5.7 and MariaDB from 10.3 on, and has no lasting effect. A test
// checks these lists against the servers: it creates a stored function of each name and sees which of the two answers.

/** Found by name, however the call is written. */
export const BY_NAME = names(`
  abs acos addtime aes_decrypt aes_encrypt asin atan atan2 benchmark bin bit_count bit_length ceil ceiling char_length
  character_length coercibility compress concat concat_ws connection_id conv convert_tz cos cot crc32 date_format
  datediff dayname dayofmonth dayofweek dayofyear degrees elt exp export_set extractvalue field find_in_set floor
  found_rows from_base64 from_days from_unixtime greatest hex ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa instr
  is_free_lock is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 is_used_lock isnull json_array json_array_append
  json_array_insert json_contains json_contains_path json_depth json_extract json_insert json_keys json_length
  json_merge json_object json_quote json_remove json_replace json_search json_set json_type json_unquote json_valid
  last_day last_insert_id lcase least length ln locate log log10 log2 lower lpad ltrim make_set makedate maketime
  mbrcontains mbrdisjoint mbrintersects mbroverlaps mbrtouches mbrwithin monthname name_const nullif oct octet_length
  ord period_add period_diff pi pow power quote radians rand reverse round rpad rtrim sec_to_time sha2 sign sin sleep
  soundex space sqrt st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_centroid st_contains
  st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance st_endpoint st_envelope st_equals
  st_exteriorring st_geomcollfromtext st_geomcollfromwkb st_geometryfromtext st_geometryn st_geometrytype
  st_geomfromgeojson st_geomfromtext st_geomfromwkb st_interiorringn st_intersection st_intersects st_isclosed
  st_isempty st_issimple st_length st_linefromtext st_linefromwkb st_numgeometries st_numinteriorrings st_numpoints
  st_overlaps st_pointfromtext st_pointfromwkb st_pointn st_polyfromtext st_polyfromwkb st_srid st_startpoint
  st_symdifference st_touches st_union st_within st_x st_y str_to_date strcmp substring_index subtime tan time_format
  time_to_sec timediff to_base64 to_days to_seconds ucase uncompress uncompressed_length unhex unix_timestamp
  updatexml upper uuid uuid_short version weekday weekofyear yearweek
`);

/** Words of the grammar: quoted, they mean a stored or loadable function. */
export const BY_WORD = names(`
  do
  any ascii avg bit char charset coalesce collation contains convert current_date current_time current_timestamp
  current_user database date datetime day default enum fixed format get_format hour if insert interval left localtime
  localtimestamp match microsecond minute mod month nchar nvarchar offset password quarter repeat replace right row
  row_count schema second signed some text time timestamp timestampadd timestampdiff truncate unsigned user utc_date
  utc_time utc_timestamp value values week weight_string year
`);

/** Words of the grammar only when the parenthesis follows at once, unless sql_mode has IGNORE_SPACE. */
export const BY_WORD_AND_PARENTHESIS = names(`
  adddate bit_and bit_or bit_xor cast count curdate curtime date_add date_sub extract group_concat max mid min now
  position session_user std stddev stddev_pop stddev_samp subdate substr substring sum sysdate system_user trim
  var_pop var_samp variance
`);

/** Whether the server takes this call for its built-in function whatever else exists, so that no lookup is needed. */
export function isBuiltIn(name: string, form: CallForm, ignoresSpace = false): boolean {
  if (BY_NAME.has(name)) return true;
  if (form === 'quoted') return false;
  return BY_WORD.has(name) || (BY_WORD_AND_PARENTHESIS.has(name) && (form === 'tight' || ignoresSpace));
}

/** Built in since a version of one product. On another server a user function may have the name: it is looked up. */
const SINCE_MYSQL: Readonly<Record<number, string>> = {
  50000: 'geometrycollection linestring multilinestring multipoint multipolygon point polygon',
  50600: 'gtid_subset gtid_subtract random_bytes validate_password_strength',
  50706: `any_value st_distance_sphere st_geohash st_isvalid st_latfromgeohash st_longfromgeohash st_makeenvelope
    st_pointfromgeohash st_simplify st_validate`,
  50722: 'json_arrayagg json_merge_patch json_merge_preserve json_objectagg json_pretty json_storage_size',
  80004: `bin_to_uuid columns cume_dist current_role dense_rank first_value grouping is_uuid json_storage_free json_table lag
    last_value lead nth_value ntile of over percent_rank rank regexp_instr regexp_like regexp_replace regexp_substr
    roles_graphml row_number st_swapxy statement_digest statement_digest_text uuid_to_bin window`,
  80014: 'lateral st_latitude st_longitude st_transform',
  80017: `format_bytes format_pico_time json_overlaps json_schema_valid json_schema_validation_report ps_current_thread_id
    ps_thread_id`,
  80024: 'json_value st_collect st_frechetdistance st_hausdorffdistance st_lineinterpolatepoint st_pointatdistance',
  80031: 'except intersect',
  90000: 'from_vector string_to_vector to_vector vector_dim vector_to_string',
  90400: 'etag json_duality_object',
};

const SINCE_MARIADB: Readonly<Record<number, string>> = {
  50500: `column_check column_create column_exists column_get column_json column_list geometrycollection geometryfromtext
    linestring mbrequal md5 multilinestring multipoint multipolygon point polygon sha sha1`,
  100300: `chr cume_dist current_role decode_oracle dense_rank except first_value intersect json_compact json_detailed
    json_exists json_loose json_merge_patch json_merge_preserve json_query json_value lag last_value lastval lead lengthb
    nth_value ntile nvl nvl2 over percent_rank rank regexp_instr regexp_replace regexp_substr row_number
    st_distance_sphere window`,
  100303: 'median percentile_cont percentile_disc',
  100500: 'json_arrayagg json_objectagg',
  100601: 'add_months columns json_table sys_guid to_char',
  100701: 'crc32c json_equals json_normalize natural_sort_key sformat',
  100900: 'json_overlaps',
  101003: 'json_pretty random_bytes',
  110200: 'format_pico_time json_array_intersect json_key_value json_object_filter_keys json_object_to_array',
  110300: 'kdf',
  110701: 'uuid_v4 uuid_v7 vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext',
};

/** From this version on, MySQL provides them by a component, as loadable functions. */
const LEFT_MYSQL_IN = 90_600;
const UNTIL_THEN = names('md5 sha sha1');

/** Whether the server itself provides a function of this name, where no user has created one. */
export function comesWith(version: ServerVersion, name: string, form: CallForm): boolean {
  if (form === 'quoted') return false;
  if (isMysql(version) && version.order < LEFT_MYSQL_IN && UNTIL_THEN.has(name)) return true;
  const since = isMysql(version) ? SINCE_MYSQL : SINCE_MARIADB;
  return Object.entries(since).some(([order, list]) => version.order >= Number(order) && names(list).has(name));
}

/** Functions that are never run, with the reason. */
export const REFUSED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['load_file', 'LOAD_FILE() reads files of the server. Use the file tools instead.'],
  ['get_lock', 'GET_LOCK() takes a lock that ends with the call. Leave it out.'],
  ['release_lock', 'Locks do not span calls. Leave RELEASE_LOCK() out.'],
  ['release_all_locks', 'Locks do not span calls. Leave RELEASE_ALL_LOCKS() out.'],
  ['sys_exec', 'sys_exec() runs programs on the server. Do this step outside of SQL.'],
  ['sys_eval', 'sys_eval() runs programs on the server. Do this step outside of SQL.'],
  ['sys_set', 'sys_set() changes the environment of the server. Do this step outside of SQL.'],
]);

/** Built-in functions that change something, so that a statement with them is a write. */
export const WRITING_FUNCTIONS = names('nextval setval');

/** Reserved words that open a list, a subquery or a type before a parenthesis and cannot be a function's name. */
export const RESERVED_BEFORE_PARENTHESIS: ReadonlySet<string> = names(`
  ALL AND AS BETWEEN BINARY BY CASE CHAR CHARACTER CROSS DECIMAL DISTINCT DISTINCTROW DIV DOUBLE ELSE EXISTS FLOAT FOR FORCE
  FROM GROUP HAVING IGNORE IN INDEX INNER INTERVAL IS JOIN KEY LEFT LIKE LIMIT NATURAL NOT NUMERIC ON OR ORDER OUTER
  PARTITION REGEXP RIGHT RLIKE SELECT SET STRAIGHT_JOIN TABLE THEN UNION USE USING VALUES VARBINARY VARCHAR WHEN WHERE WITH
  XOR RETURN ELSEIF WHILE REAL INT INTEGER BIGINT SMALLINT TINYINT MEDIUMINT BLOB
`);
