/** The editor stops the script of an uninstalled extension after 5 s, and starting it takes part of that. */
export const UNINSTALL_TIMEOUT_MS = 3_500;
/** How long a process waits for its turn at the home's lock, behind hundreds that end at the same moment. */
export const SHUTDOWN_LONGEST_MS = 60_000;
