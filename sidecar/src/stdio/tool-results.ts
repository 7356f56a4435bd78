import type { Envelope, McpResult } from '@devdb/shared/envelope';
import { ERROR_CODES, type ErrorCode, errorText, isErrorCode, type WireError } from '@devdb/shared/errors';
import { linesOf, type PlainLines, plain, sentenceText } from '@devdb/shared/plain-text';
import { atPrompt } from '../host/prompt-words.ts';
import { newRequestId } from '../host/request-id.ts';

/** A failure of a call, as the client will see it. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Record<string, unknown> | undefined;
  /** The text form, where it is a literal sentence instead of `[E_CODE] message. Hint: ...`. */
  readonly text?: PlainLines | undefined;
  /** Where it differs from the table of codes. */
  readonly retryable?: boolean | undefined;
}

/** The MCP result of a failure, as JSON text. */
export function failureResult(failure: Failure, startedAt: number): string {
  const error: WireError = {
    code: failure.code,
    message: sentenceText(failure.message),
    ...(failure.hint === undefined ? {} : { hint: sentenceText(failure.hint) }),
    // A newer sidecar may have codes that this table lacks.
    retryable: failure.retryable ?? (isErrorCode(failure.code) && ERROR_CODES[failure.code].retryable),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
  const envelope: Envelope = {
    ok: false,
    type: 'error',
    error,
    meta: { requestId: newRequestId(), timestamp: new Date(startedAt).toISOString(), duration: Date.now() - startedAt },
  };
  const text = failure.text ?? errorText(error);
  const result: McpResult = { content: [{ type: 'text', text }], structuredContent: envelope, isError: true };
  return JSON.stringify(result);
}

const MAX_ROOTS_NAMED = 10;

export const UNREACHABLE: Failure = {
  code: 'E_UNREACHABLE',
  message: 'Could not establish database connection',
  text: linesOf([plain`Could not establish database connection`]),
  hint: 'The window of this project did not respond. It may be reloading or closing: try again in a few seconds, or reload that window (Developer: Reload Window).',
};

/** The link broke after the call was sent, and the call may have changed something. */
export const LOST: Failure = {
  ...UNREACHABLE,
  hint: 'The connection to the window of this project broke while the call ran. If it changes data, whether that was carried out is not known: look before you call again.',
  retryable: false,
};

/** No window has the project open. The hint names the open ones, nearest first. */
export function notOpen(
  asked: string,
  root: string,
  openRoots: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Failure {
  // Neither marked nor shortened: callers pass the path back to us.
  const message = plain`Error: MCP server not running for project: ${sentenceText(asked)}`;
  const hint = sentenceText(`${openRootsHint(asked, root, openRoots)}${farSideHint(root, platform)}`);
  return { code: 'E_PROJECT_NOT_OPEN', message, hint, text: linesOf([message, plain`Hint: ${hint}`]) };
}

function openRootsHint(asked: string, root: string, openRoots: readonly string[]): string {
  const open = nearestFirst(
    openRoots.filter((other) => other !== root),
    root,
  );
  if (open.length === 0)
    return `no project is open. Open ${asked} in VS Code with the DevDB extension, or run: devdb serve --project ${atPrompt(asked)}`;
  const named = open.slice(0, MAX_ROOTS_NAMED).join(', ');
  const more = open.length > MAX_ROOTS_NAMED ? ` and ${open.length - MAX_ROOTS_NAMED} more` : '';
  return `open now: ${named}${more}. Pass one of these as projectRoot, or open ${asked} in VS Code.`;
}

/** WSL and Windows see each other's folders, but not each other's windows. */
function farSideHint(root: string, platform: NodeJS.Platform): string {
  if (platform === 'win32' && /^\\\\wsl(?:\$|\.localhost)\\/i.test(root))
    return ' This folder is inside WSL: run the agent in WSL to reach a window that has it open there.';
  if (platform === 'linux' && /^\/mnt\/[a-z](?:\/|$)/.test(root))
    return ' If this Windows folder is open in VS Code on Windows, run the agent on Windows to reach that window.';
  return '';
}

/** The roots sharing the longest path from the top, and among those the ones closest below it. */
function nearestFirst(roots: readonly string[], wanted: string): string[] {
  const target = wanted.split(SEPARATOR);
  const measured = roots.map((root) => {
    const parts = root.split(SEPARATOR);
    const differs = parts.findIndex((part, index) => part !== target[index]);
    return { root, shared: differs < 0 ? parts.length : differs, depth: parts.length };
  });
  return measured.sort((a, b) => b.shared - a.shared || a.depth - b.depth).map(({ root }) => root);
}

const SEPARATOR = /[\\/]/;

/** The messages of the two checks that need no sidecar. */
export function badRoot(asked: string, why: 'relative' | 'missing', platform: NodeJS.Platform): Failure {
  const message =
    why === 'relative' ? 'Error: projectRoot must be an absolute path' : 'Error: projectRoot does not exist';
  return {
    code: 'E_INVALID_PARAMS',
    message,
    text: linesOf([sentenceText(message)]),
    hint: badRootHint(asked, why, platform),
  };
}

function badRootHint(asked: string, why: 'relative' | 'missing', platform: NodeJS.Platform): string {
  const otherSide = otherSideOfWsl(asked, platform);
  if (otherSide !== undefined) return otherSide;
  return why === 'relative'
    ? 'Pass the whole path of the project, e.g. /Users/path/to/project; nothing is guessed from the folder this server runs in.'
    : 'There is no such folder on this machine. Pass the root of the project that is open in the editor.';
}

/** Windows and WSL have different names for the same folder, and each side knows only its own. */
function otherSideOfWsl(asked: string, platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') {
    const [, drive, rest] = /^\/mnt\/([a-z])(?:\/(.*))?$/i.exec(asked) ?? [];
    if (drive === undefined) return undefined;
    const folder = `${drive.toUpperCase()}:\\${(rest ?? '').replaceAll('/', '\\')}`;
    return `This is the WSL path of a Windows folder, and DevDB runs on Windows here: pass ${folder}`;
  }
  if (/^\/mnt\/[a-z](?:\/|$)/.test(asked))
    return "This is the WSL path of a Windows folder, and it does not exist here: pass the folder's path on the machine where DevDB runs.";
  const [, letter, tail] = /^([a-z]):[\\/](.*)$/i.exec(asked) ?? [];
  if (letter !== undefined)
    return `This is a Windows path, and DevDB does not run on Windows here. Under WSL the same folder is /mnt/${letter.toLowerCase()}/${(tail ?? '').replaceAll('\\', '/')}`;
  const [, inside] = /^\\\\wsl(?:\$|\.localhost)\\[^\\]+(\\.*)?$/i.exec(asked) ?? [];
  if (!/^\\\\wsl/i.test(asked)) return undefined;
  return `This is the Windows path of a WSL folder, and DevDB runs inside WSL here: pass ${(inside ?? '\\').replaceAll('\\', '/')}`;
}
