export const KEPT_CONNECTIONS_AGAIN_MS = 10_000;
/** A password command may ask the user (a locked key store); longer means that it hangs. */
export const PASSWORD_COMMAND_TIMEOUT_MS = 30_000;
/** How long a password from a command is reused; some expire after a quarter of an hour. */
export const PASSWORD_COMMAND_FRESH_MS = 600_000;
export const MAX_PASSWORD_BYTES = 64 * 1024;
export const FOLDER_LOOK_INTERVAL_MS = 1_000;
/** How long a port that a running container told is taken for current: starting one again changes no file. */
export const CONTAINERS_FRESH_MS = 5_000;
