function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Functions that MySQL (5.7 and newer) and MariaDB (10.3 and newer) both bring along and that leave nothing behind. */
export const KNOWN_FUNCTIONS = names(`
  abs acos adddate addtime aes_decrypt aes_encrypt ascii asin atan atan2 avg
  benchmark bin bit_and bit_count bit_length bit_or bit_xor
  cast ceil ceiling char character_length char_length charset coalesce coercibility collation compress concat concat_ws
  connection_id conv convert convert_tz cos cot count crc32 curdate current_date current_time current_timestamp
  current_user curtime
  database date datediff date_add date_format date_sub day dayname dayofmonth dayofweek dayofyear default degrees
  elt exp export_set extract extractvalue
  field find_in_set floor format found_rows from_base64 from_days from_unixtime
  geometrycollection geometryfromtext get_format greatest group_concat
  hex hour
  if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr is_free_lock is_ipv4 is_ipv4_compat is_ipv4_mapped
  is_ipv6 is_used_lock isnull
  json_array json_array_append json_array_insert json_arrayagg json_contains json_contains_path json_depth json_extract
  json_insert json_keys json_length json_merge json_merge_patch json_merge_preserve json_object json_objectagg json_quote
  json_remove json_replace json_search json_set json_type json_unquote json_valid json_value
  last_day last_insert_id lcase least left length linestring ln localtime localtimestamp locate log log10 log2 lower lpad
  ltrim
  make_set makedate maketime match max mbrcontains mbrdisjoint mbrequal mbrintersects mbroverlaps mbrtouches mbrwithin md5
  microsecond mid min minute mod month monthname multilinestring multipoint multipolygon
  name_const now nullif
  oct octet_length ord
  password period_add period_diff pi point polygon position pow power
  quarter quote
  radians rand random_bytes regexp_instr regexp_replace regexp_substr repeat replace reverse right round row_count rpad
  rtrim
  schema second sec_to_time session_user sha sha1 sha2 sign sin sleep soundex space sqrt
  st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_centroid st_contains st_convexhull st_crosses
  st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring
  st_geomcollfromtext st_geomcollfromwkb st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb
  st_geometryfromtext st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_issimple st_length
  st_linefromtext st_linefromwkb st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_pointfromtext
  st_pointfromwkb st_pointn st_polyfromtext st_polyfromwkb st_simplify st_srid st_startpoint st_symdifference st_touches
  st_union st_within st_x st_y
  std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum sysdate
  system_user
  tan time timediff timestamp timestampadd timestampdiff time_format time_to_sec to_base64 to_days to_seconds trim truncate
  ucase uncompress uncompressed_length unhex unix_timestamp updatexml upper user utc_date utc_time utc_timestamp uuid
  uuid_short
  values var_pop var_samp variance version
  week weekday weekofyear weight_string
  year yearweek
  cume_dist dense_rank first_value lag last_value lead ntile nth_value percent_rank rank row_number
`);

/** Functions of one product or of newer versions: on another server the name may be somebody's own. */
export const SOMETIMES_KNOWN = names(`
  any_value bin_to_uuid format_bytes format_pico_time get_dd_column_privileges grouping is_uuid json_overlaps json_pretty
  json_schema_valid json_schema_validation_report json_storage_free json_storage_size json_table member regexp_like
  statement_digest statement_digest_text st_collect st_frechetdistance st_geohash st_hausdorffdistance st_isvalid
  st_latfromgeohash st_latitude st_lineinterpolatepoint st_longfromgeohash st_longitude st_makeenvelope st_pointatdistance
  st_pointfromgeohash st_swapxy st_transform st_validate uuid_to_bin validate_password_strength ps_current_thread_id
  ps_thread_id roles_graphml can_access_database to_vector from_vector string_to_vector vector_dim vector_to_string
  distance vector_distance etag
  add_months chr column_check column_create column_exists column_get column_json column_list crc32c
  current_role decode_oracle json_compact json_detailed json_equals json_exists json_loose json_normalize
  json_object_filter_keys json_object_to_array json_array_intersect json_key_value json_query
  kdf length_char lengthb median mysql_to_date natural_sort_key nvl nvl2 oracle_concat percentile_cont percentile_disc
  sformat sys_guid to_char to_date to_number trunc uuid_v4 uuid_v7 vec_distance vec_distance_cosine vec_distance_euclidean
  vec_fromtext vec_totext lastval xmltype
  against any bit columns datetime enum except fixed intersect lateral minus nchar nvarchar of offset over recursive row
  signed some text unsigned value window
`);

/** Functions that never run here, with the reason. */
export const REFUSED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['load_file', 'LOAD_FILE() reads files of the server. Use the tools for files instead.'],
  ['get_lock', 'GET_LOCK() takes a lock that ends with the call. Leave it out.'],
  ['release_lock', 'Locks do not span calls. Leave RELEASE_LOCK() out.'],
  ['release_all_locks', 'Locks do not span calls. Leave RELEASE_ALL_LOCKS() out.'],
  ['sys_exec', 'sys_exec() runs programs on the server. Do this step outside of SQL.'],
  ['sys_eval', 'sys_eval() runs programs on the server. Do this step outside of SQL.'],
  ['sys_set', 'sys_set() changes the environment of the server. Do this step outside of SQL.'],
]);

/** Built-in functions that change something, so that a statement with them is a write. */
export const WRITING_FUNCTIONS = names('nextval setval');

/** Reserved words before a parenthesis, which open a list, a subquery or a type and cannot be a function's name. */
export const RESERVED_BEFORE_PARENTHESIS: ReadonlySet<string> = names(`
  ALL AND AS BETWEEN BINARY BY CASE CHAR CHARACTER CROSS DECIMAL DISTINCT DISTINCTROW DIV DOUBLE ELSE EXISTS FLOAT FOR FORCE
  FROM GROUP HAVING IGNORE IN INDEX INNER INTERVAL IS JOIN KEY LEFT LIKE LIMIT NATURAL NOT NUMERIC ON OR ORDER OUTER
  PARTITION REGEXP RIGHT RLIKE SELECT SET STRAIGHT_JOIN TABLE THEN UNION USE USING VALUES VARBINARY VARCHAR WHEN WHERE WITH
  XOR RETURN ELSEIF WHILE REAL INT INTEGER BIGINT SMALLINT TINYINT MEDIUMINT BLOB
`);
