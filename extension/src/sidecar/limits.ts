/** How long the editor waits for a whole report: databases are tested one after the other. */
export const DOCTOR_TIMEOUT_MS = 120_000;
/**
 * How long the editor gives a sidecar to end: longer than the sidecar's hard stop, with time for its turn at the home's
 * lock.
 */
export const SHUTDOWN_KILL_MS = 6_000;
/** A sidecar that fails to start is started again this often in a row, each time after a longer pause. */
export const MAX_SIDECAR_RESTARTS = 5;
/** A sidecar that started and then died is restarted at once, this often within the window: agents wait for it. */
export const MAX_SIDECAR_ENDS = 30;
export const SIDECAR_RESTART_WINDOW_MS = 180_000;
export const SIDECAR_RESTART_PAUSE_MS = 250;
