/** Names of variables that hold no secret by what they are called: the end of a name says what its value is. */
const PLAIN =
  /^(?:[A-Z][A-Z0-9]*_)*(?:HOST|HOSTNAME|HOSTADDR|SERVER|INSTANCE|PORT|SOCKET|DB|DATABASE|DBNAME|DB_NAME|DATABASE_NAME|SCHEMA|USER|USERNAME|USER_NAME|SSLMODE|SSL_MODE|PATH|FILE|DIR|HOME)$|^PG(?:HOST|HOSTADDR|PORT|DATABASE|USER|SSLMODE)$|^(?:USERPROFILE|LOGNAME)$/;
/** Also where the end says otherwise. */
const SECRET = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|PWD|AUTH|PRIVATE|SESSION|COOKIE|SALT/;

/**
 * Whether a variable of the process may stand in a field that is shown, sent to a server that has not proved anything, or
 * looked up as a host name. Any may be a password, which goes to nobody but the server that a person approved.
 */
export function isPlain(variable: string): boolean {
  const name = variable.toUpperCase();
  return PLAIN.test(name) && !SECRET.test(name);
}
