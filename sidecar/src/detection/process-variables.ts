/** Names of variables that hold no secret: the last part of a name says what its value is. */
const PLAIN =
  /^(?:[A-Z][A-Z0-9]*_)*(?:HOST|HOSTNAME|HOSTADDR|SERVER|INSTANCE|PORT|SOCKET|DB|DATABASE|DBNAME|DB_NAME|DATABASE_NAME|SCHEMA|USER|USERNAME|USER_NAME|SSLMODE|SSL_MODE|PATH|FILE|DIR|HOME)$|^PG(?:HOST|HOSTADDR|PORT|DATABASE|USER|SSLMODE)$|^(?:USERPROFILE|LOGNAME)$/;
/** Overrides PLAIN. */
const SECRET = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|PWD|AUTH|PRIVATE|SESSION|COOKIE|SALT/;

/**
 * Whether a process variable may go into a field that is displayed, sent to a server that has proven nothing, or looked
 * up as a host name. Any variable may be a password, which may only reach the server the user approved.
 */
export function isPlain(variable: string): boolean {
  const name = variable.toUpperCase();
  return PLAIN.test(name) && !SECRET.test(name);
}
