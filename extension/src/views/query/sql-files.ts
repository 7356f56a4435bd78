import { AppError } from '@devdb/shared/errors';
import { splitStatements } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { ChosenDatabases } from './chosen-databases.ts';
import type { Where } from './known-schemas.ts';
import type { QueryParts } from './register.ts';
import type { Span } from './statement-choice.ts';
import { tableOf } from './table-documents.ts';

const SPLIT_LIMIT_MS = 30_000;

/** A file with statements, and where it is run. */
export interface Place {
  readonly client: SidecarClient;
  readonly root: string;
  readonly connection: string | undefined;
  readonly document: vscode.TextDocument;
}

/** Where the statements of each file run. */
export class SqlFiles {
  readonly #parts: Pick<QueryParts, 'client' | 'rootOf' | 'signal'>;
  readonly #chosen: Pick<ChosenDatabases, 'of'>;
  /** The projects of statements that were opened for one; a file is in its folder's. */
  readonly #roots = new Map<string, string>();

  constructor(parts: Pick<QueryParts, 'client' | 'rootOf' | 'signal'>, chosen: Pick<ChosenDatabases, 'of'>) {
    this.#parts = parts;
    this.#chosen = chosen;
  }

  opened(uri: vscode.Uri, root: string): void {
    this.#roots.set(uri.toString(), root);
  }

  closed(uri: vscode.Uri): void {
    this.#roots.delete(uri.toString());
  }

  /** The project that a file is in, the window's first for a file of none; and its database, if one was chosen. */
  where({ uri }: vscode.TextDocument): Where | undefined {
    const table = tableOf(uri);
    if (table !== undefined) return { root: table.root, connection: table.connection };
    const opened = this.#roots.get(uri.toString());
    const root = opened ?? this.#parts.rootOf(vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath);
    return root === undefined ? undefined : { root, connection: this.#chosen.of(uri) };
  }

  /** A file, or the one in the active editor. */
  async place(uri: unknown): Promise<Place> {
    const given = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    if (given === undefined) throw new AppError('E_NO_ACTIVE_EDITOR', 'Open a .sql file first.');
    const document = await vscode.workspace.openTextDocument(given);
    const client = await this.#parts.client(this.#parts.signal);
    const where = this.where(document);
    if (where === undefined) throw new AppError('E_PROJECT_NOT_OPEN', 'DevDB serves no project in this window.');
    return { client, ...where, document };
  }
}

/** Where the statements of a text stand. */
export async function spansOf(
  { client, root, connection }: Omit<Place, 'document'>,
  text: string,
): Promise<readonly Span[]> {
  const params = { root, text, ...(connection === undefined ? {} : { connection }) };
  return (await client.call(splitStatements, params, { timeoutMs: SPLIT_LIMIT_MS })).spans;
}
