export const LOCK_TIMEOUT_MS = 10_000;
/** Within this time the window that lost its entry to a closed one is back in the registry. */
export const REGISTRY_HEAL_INTERVAL_MS = 1_000;
/** A reload keeps its port: the successor waits this long for its predecessor's listener to close. */
export const PORT_RETRY_MS = 2_000;
export const PORT_RETRY_INTERVAL_MS = 25;
/** A window that reloads has closed its listener by then: one of the same project that still answers is another window. */
export const RELOAD_OVERLAP_MS = 400;
export const REMEMBERED_PORT_DAYS = 30;
/** How long all remembered roots together are looked at; a network drive that hangs is not worth more. */
export const ROOT_CHECK_TIMEOUT_MS = 2_000;
/** A sidecar on this machine answers /health within this time, or it is not known whether it lives. */
export const PROBE_TIMEOUT_MS = 500;
/** So many probes without an answer in a row count as gone: a sidecar that hangs serves nobody. */
export const UNCLEAR_PROBES = 3;
/** A half-made copy of the bundle this old belongs to an installer that died. */
export const ABANDONED_COPY_MS = 24 * 60 * 60_000;
