/** Required by the driver and the server; on an older Node the driver ends the process without a message. */
export const LEAST_NODE = 22;
/** The stdio entry and the launcher start on whatever Node a client's machine has. */
export const LEAST_NODE_FOR_STDIO = 18;

/** A sentence on why this Node is unfit; undefined when it is fit. */
export function nodeProblem(version: string, least: number, what: string): string | undefined {
  const major = Number.parseInt(version.replace(/^v/, ''), 10);
  if (major >= least) return undefined;
  return `${what} needs Node ${least} or newer, and this is Node ${version}. Install a newer Node (https://nodejs.org), or run it with the Node of an editor that is new enough.`;
}
