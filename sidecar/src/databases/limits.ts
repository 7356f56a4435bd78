export const KEPT_CONNECTIONS_AGAIN_MS = 10_000;
/** A password command may ask a person (a key store that is locked); longer means that it hangs. */
export const PASSWORD_COMMAND_TIMEOUT_MS = 30_000;
/** A password from a command is used again for so long; some are valid for a quarter of an hour only. */
export const PASSWORD_COMMAND_FRESH_MS = 600_000;
export const MAX_PASSWORD_BYTES = 64 * 1024;
export const FOLDER_LOOK_INTERVAL_MS = 1_000;
