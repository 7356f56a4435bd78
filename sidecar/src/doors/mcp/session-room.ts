import { MAX_MCP_SESSIONS, MCP_SESSION_REPLACEABLE_MS } from '../limits.ts';

/** The facts about a session that matter when room is needed. */
export interface Holding {
  /** The client's name, as it sent it. */
  readonly client: string;
  /** Whether one of its calls is running. */
  readonly isCalling: boolean;
  /** The time of its last request. */
  readonly askedAt: number;
  /** Milliseconds without an open request; the client's listening stream counts as one. */
  unusedMs(): number;
}

/** A client with more sessions than this may lose one even during a call, when another client has none. */
const HALF = MAX_MCP_SESSIONS / 2;

/**
 * Picks the session to end for a new one of this client; undefined when none has to go. First choice is one unused for
 * a while, of any client. Next, the client with the most sessions gives one up, as long as it has more than the
 * newcomer would: no client can keep all others out by keeping its sessions busy.
 */
export function whoMakesRoom<S extends Holding>(sessions: readonly S[], client: string): S | undefined {
  const unused = longest(
    sessions.filter((session) => session.unusedMs() >= MCP_SESSION_REPLACEABLE_MS),
    (session) => session.unusedMs(),
  );
  if (unused !== undefined) return unused;
  const byClient = Map.groupBy(sessions, (session) => session.client);
  const own = byClient.get(client)?.length ?? 0;
  const greediest = longest([...byClient.values()], (held) => held.length) ?? [];
  if (greediest.length <= own + 1) return undefined;
  const quiet = greediest.filter(({ isCalling }) => !isCalling);
  const candidates = quiet.length > 0 || greediest.length <= HALF ? quiet : greediest;
  return longest(candidates, ({ askedAt }) => -askedAt);
}

function longest<T>(all: readonly T[], of: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>((most, one) => (most === undefined || of(one) > of(most) ? one : most), undefined);
}
