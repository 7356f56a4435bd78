/** The editor ends the script of an uninstalled extension after 5 s, and starting it takes some of them. */
export const UNINSTALL_TIMEOUT_MS = 3_500;
/** How long one waits for its turn in the home, behind hundreds that end in the same moment. */
export const SHUTDOWN_LONGEST_MS = 60_000;
