export const LOCK_TIMEOUT_MS = 10_000;
/** A window whose entry was taken by another window is back in the registry within this time after that one closes. */
export const REGISTRY_HEAL_INTERVAL_MS = 1_000;
/** A reload keeps its port: the new sidecar waits this long for the old listener to close. */
export const PORT_RETRY_MS = 2_000;
export const PORT_RETRY_INTERVAL_MS = 25;
/** A reloading window has closed its listener by then: one of the same project that still answers is another window. */
export const RELOAD_OVERLAP_MS = 400;
export const REMEMBERED_PORT_DAYS = 30;
/** Time to check all remembered roots together; a hanging network drive is not worth more. */
export const ROOT_CHECK_TIMEOUT_MS = 2_000;
/** A sidecar on this machine answers /health within this time; if not, its state is unknown. */
export const PROBE_TIMEOUT_MS = 500;
/** After this many unanswered probes in a row a sidecar counts as gone: one that hangs serves no call. */
export const UNCLEAR_PROBES = 3;
/** A half-made copy of the bundle this old belongs to an installer that died. */
export const ABANDONED_COPY_MS = 24 * 60 * 60_000;
