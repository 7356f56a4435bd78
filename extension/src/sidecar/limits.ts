/** How long the editor waits for a whole report: databases are tried one after the other. */
export const DOCTOR_TIMEOUT_MS = 120_000;
/** How long the editor lets a sidecar end: behind its own hard stop, with time for its turn in the home among many. */
export const SHUTDOWN_KILL_MS = 6_000;
/** A sidecar that does not come up is started again this often in a row, each time after a longer pause. */
export const MAX_SIDECAR_RESTARTS = 5;
/** One that came up and died is started again at once, this often within the window: agents wait for it. */
export const MAX_SIDECAR_ENDS = 30;
export const SIDECAR_RESTART_WINDOW_MS = 180_000;
export const SIDECAR_RESTART_PAUSE_MS = 250;
