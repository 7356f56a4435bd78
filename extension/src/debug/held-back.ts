import type { DebugSession } from 'vscode';

/** The debugger of Node. */
const NODE = 'pwa-node';
/** Requests that it hands on to a program that stands still, whose answer holds up nothing but itself. */
const HANDED_ON = new Set(['variables', 'evaluate', 'exceptionInfo', 'setVariable', 'setExpression']);
/** Until then an answer that is not held back is there; later ones are for a program that takes longer over its answer. */
const NUDGE_AFTER_MS = [3, 7, 15, 31] as const;
/** Has no effect, and its answer is not waited for. */
const NUDGE = { expression: '0 /* DevDB: brings the answer before it */', context: 'clipboard' } as const;

/** What ends the nudges. */
export interface Nudging {
  dispose(): void;
}

/**
 * Brings an answer of Node's inspector sooner. The inspector sends it in two pieces, and TCP holds the second back until
 * the first is acknowledged, which the debugger's side does after 40 ms, or with the next thing it sends.
 */
export function bringSooner(session: Pick<DebugSession, 'customRequest' | 'type'>, command: string): Nudging {
  if (session.type !== NODE || !HANDED_ON.has(command)) return { dispose: () => undefined };
  const nudge = (): void => {
    // All that matters is that it is sent; the session may have ended.
    session.customRequest('evaluate', NUDGE).then(undefined, () => undefined);
  };
  const timers = NUDGE_AFTER_MS.map((ms) => setTimeout(nudge, ms));
  return {
    dispose: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Whether the arguments are those of a nudge, which nobody asked for. */
export function isNudge(args: unknown): boolean {
  return Object(args).expression === NUDGE.expression;
}
