import { MAX_MCP_SESSIONS, MCP_SESSION_REPLACEABLE_MS } from '../limits.ts';

/** What is asked of a session when room is needed. */
export interface Holding {
  /** The name that its client gave itself. */
  readonly client: string;
  /** Whether a call of it runs. */
  readonly isCalling: boolean;
  /** Since when it was asked nothing. */
  readonly askedAt: number;
  /** Milliseconds without any request under way, the stream on which a client listens among them. */
  unusedMs(): number;
}

/** A client that holds more than this many may lose one even while it calls, where another client has none. */
const HALF = MAX_MCP_SESSIONS / 2;

/**
 * The session that makes room for another one of this client; undefined where none has to. One that nobody used for a
 * while goes first, whoever has it. Then the client that holds the most gives one up, as long as it has more than the
 * newcomer would have: one client cannot keep all others out, however busy it keeps its sessions.
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
