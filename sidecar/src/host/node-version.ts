/** The driver and the server need this; below it the driver ends the process without a word. */
export const LEAST_NODE = 22;
/** The stdio entry and the launcher start on what a client's machine has. */
export const LEAST_NODE_FOR_STDIO = 18;

/** What is wrong with this Node, in a sentence, or undefined when it is fit. */
export function nodeProblem(version: string, least: number, what: string): string | undefined {
  const major = Number.parseInt(version.replace(/^v/, ''), 10);
  if (major >= least) return undefined;
  return `${what} needs Node ${least} or newer, and this is Node ${version}. Install a newer Node (https://nodejs.org), or run it with the Node of an editor that is new enough.`;
}
