import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { askScriptServer, isScript } from './script-requests.ts';
import { type OutlineSymbol, outlineOf } from './symbols.ts';
import { pause, told, type Waiting } from './waiting.ts';

const ASK_AGAIN_MS = 200;
const TELL_MS = 1_000;
const STARTING = 'Waiting for the language server to start.';
/** A server that says nothing of a file so long after its extension is active has nothing to say about it. */
const SILENT_MS = 10_000;

/** Languages whose server has answered in this window: from then on an empty answer is an answer. */
const answered = new Set<string>();

/** Outlines of documents as they were at a version: a server that has made one has started. */
const outlines = new WeakMap<
  vscode.TextDocument,
  { readonly version: number; readonly outline: readonly OutlineSymbol[] }
>();

/** The outline of a file, once the language server that knows it has started. E_NO_PROVIDER where there is none. */
export async function outlineWhenReady(
  document: vscode.TextDocument,
  waiting: Waiting,
): Promise<readonly OutlineSymbol[]> {
  const { version } = document;
  const known = outlines.get(document);
  if (known?.version === version) return known.outline;
  const outline = await outlineOfReady(document, waiting);
  // An empty one may be that of a server without providers yet.
  if (outline.length > 0 && document.version === version) outlines.set(document, { version, outline });
  return outline;
}

/** The same, asked of the server now: it answers when it has read the project again. */
export async function outlineOfReady(
  document: vscode.TextDocument,
  waiting: Waiting,
): Promise<readonly OutlineSymbol[]> {
  const { signal } = waiting;
  const { languageId } = document;
  const servers = extensionsFor(languageId);
  if (servers.length === 0 && !answered.has(languageId)) {
    const outline = await outlineOf(document, signal);
    if (outline.length === 0) throw noProvider(document);
    return outline;
  }
  await told(waiting, () => STARTING, Promise.allSettled(servers.map((extension) => extension.activate())));
  if (isScript(document)) {
    const syntax = await told(
      waiting,
      () => STARTING,
      askScriptServer('syntacticDiagnosticsSync', document.uri, signal),
    );
    if (syntax !== undefined) answered.add(languageId);
  }
  return outlineOfStarting(document, waiting);
}

/** Asks again while the server may still be starting: its providers come when it is there, and no event tells of them. */
async function outlineOfStarting(document: vscode.TextDocument, waiting: Waiting): Promise<readonly OutlineSymbol[]> {
  const { languageId } = document;
  const began = performance.now();
  for (;;) {
    const outline = await outlineOf(document, waiting.signal);
    if (outline.length > 0) answered.add(languageId);
    if (answered.has(languageId)) return outline;
    const waited = performance.now() - began;
    if (waited > SILENT_MS) throw noProvider(document);
    if (waited > TELL_MS) tell(waiting, waited);
    await pause(ASK_AGAIN_MS, waiting.signal);
  }
}

function tell({ progress }: Waiting, waitedMs: number): void {
  progress({ progress: Math.round(waitedMs / 1_000), message: STARTING });
}

function extensionsFor(languageId: string): readonly vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ packageJSON }) => {
    const events: unknown = Object(packageJSON).activationEvents;
    return Array.isArray(events) && events.includes(`onLanguage:${languageId}`);
  });
}

/** An answer that is never empty: without a provider it says so. */
export function noProvider({ languageId }: vscode.TextDocument, what = 'symbols'): AppError {
  return new AppError('E_NO_PROVIDER', `The editor has no language server that gives ${what} for ${languageId}.`, {
    hint: 'An extension for the language may be missing; read and search the files instead.',
    details: { language: languageId },
  });
}

/** Kinds of answers that a language has given: an empty one may mean that no provider gives such answers. */
const given = new Set<string>();

/** Refuses an empty answer of a kind that the language has never given. */
export function knownEmpty(document: vscode.TextDocument, kind: string, isEmpty: boolean): void {
  const key = `${document.languageId} ${kind}`;
  if (!isEmpty) given.add(key);
  else if (!given.has(key) && !isScript(document)) throw noProvider(document, `${kind} of this place`);
}
