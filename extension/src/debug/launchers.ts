import { basename, dirname } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import type { SourceFile } from './breakpoints.ts';

/** A debugger that an installed extension brings. */
interface Contributed {
  readonly type: string;
  readonly languages: readonly string[];
}

/** Where several know a language, the one that launches a plain program; the others are for browsers and the like. */
const PREFERRED = ['node', 'pwa-node', 'debugpy', 'python', 'go', 'lldb', 'lldb-dap', 'cppdbg'];
/** For a program that was compiled. */
const NATIVE = ['lldb', 'lldb-dap', 'lldb-vscode', 'cppdbg'];

/** Otherwise only what the program prints through `console` is reported. */
const NODE = { skipFiles: ['<node_internals>/**'], outputCapture: 'std' };
/** What a type wants beyond program, arguments and folder, so that what is printed reaches the record. */
const EXTRAS: Readonly<Record<string, object>> = {
  node: NODE,
  'pwa-node': NODE,
  debugpy: { redirectOutput: true },
  python: { redirectOutput: true },
};

/** A configuration for a program by itself, and the debugger that its language chose. */
export async function configurationFor(file: SourceFile, args: readonly string[]): Promise<vscode.DebugConfiguration> {
  const type = await debuggerFor(file);
  return {
    type,
    name: basename(file.relative),
    request: 'launch',
    program: file.uri.fsPath,
    args: [...args],
    cwd: dirname(file.uri.fsPath),
    console: 'internalConsole',
    // Showing it, the editor takes minutes over megabytes that come in pieces without line ends.
    internalConsoleOptions: 'neverOpen',
    ...EXTRAS[type],
  };
}

/** Refuses a type that no extension brings: the editor would only ask its user about it. */
export function mustBeInstalled(type: string): void {
  const types = contributedDebuggers().map((one) => one.type);
  if (types.includes(type)) return;
  throw new AppError('E_NOT_SUPPORTED', `No debugger of the type "${type}" is installed.`, {
    hint: 'Ask the user to install its extension, or use a type that is installed.',
    details: { installed: [...new Set(types)] },
  });
}

async function debuggerFor(file: SourceFile): Promise<string> {
  const language = await languageOf(file);
  const all = contributedDebuggers();
  const able = language === undefined ? [] : all.filter(({ languages }) => languages.includes(language));
  const types = able.map(({ type }) => type);
  const preferred = PREFERRED.find((type) => types.includes(type)) ?? types[0];
  const native = NATIVE.find((type) => all.some((one) => one.type === type));
  const chosen = language === undefined ? native : preferred;
  if (chosen !== undefined) return chosen;
  const what = language === undefined ? 'compiled programs' : `the language ${language}`;
  throw new AppError('E_NOT_SUPPORTED', `No installed debugger says that it knows ${what} (${file.relative}).`, {
    hint: 'Ask the user to install the extension that debugs it, or pass config with the type of a debugger that is installed.',
    details: { installed: [...new Set(all.map(({ type }) => type))] },
  });
}

/** What the editor takes the file for; undefined for one that is no text. */
async function languageOf({ uri }: SourceFile): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).languageId;
  } catch {
    // A compiled program cannot be opened as text.
    return undefined;
  }
}

function contributedDebuggers(): Contributed[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) => {
    const debuggers: unknown = packageJSON?.contributes?.debuggers;
    if (!Array.isArray(debuggers)) return [];
    return debuggers.flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null || !('type' in one) || typeof one.type !== 'string') return [];
      const languages: unknown = 'languages' in one ? one.languages : [];
      return [{ type: one.type, languages: Array.isArray(languages) ? languages.map(String) : [] }];
    });
  });
}
