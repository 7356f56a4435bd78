import { AppError } from '@devdb/shared/errors';
import { DOCTOR_TEST_TIMEOUT_MS, GATE_GRACE_MS, HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import {
  eraseConnection,
  keptConnectionsChanged,
  type OwnConnection,
  ownConnections,
  readDatabaseUrl,
  type TypedConnection,
  testConnection,
  writeConnection,
} from '@devdb/shared/protocol/connection-methods';
import * as vscode from 'vscode';
import * as z from 'zod';
import { type EditorText, editorText, forEditor } from '../editor-text.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import { connectionOf, type Draft, draftOf, shownTarget } from './draft.ts';
import { askChoice, askText, whileBusy } from './inputs.ts';
import type { KeptStore } from './kept-store.ts';
import { BACK, type Back, type Place, runSteps, type Step } from './steps.ts';
import { type ReadUrl, wizardSteps } from './wizard-steps.ts';

const SHOWN_MS = 5_000;
const ONLY_STEP: Place = { step: 1, totalSteps: 1, canGoBack: false };
const CALL_MS = HANDSHAKE_TIMEOUT_MS;
const TEST_MS = DOCTOR_TEST_TIMEOUT_MS + GATE_GRACE_MS;

/** A connection that is already chosen. */
const knownSchema = z.object({ root: z.string(), id: z.string() });

export interface ConnectionCommandParts {
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly store: KeptStore;
  readonly signal: AbortSignal;
}

/** The user's commands for the connections of the window's projects. */
export class ConnectionCommands {
  readonly #parts: ConnectionCommandParts;

  constructor(parts: ConnectionCommandParts) {
    this.#parts = parts;
  }

  /** The wizard: asks, tests, saves. It begins with what is known of a connection. */
  async add(known?: unknown): Promise<void> {
    const { signal } = this.#parts;
    const roots = await this.#roots();
    const [root = ''] = roots;
    const begun = draftOf(known, roots);
    const steps = wizardSteps({
      roots,
      takenNames: async (of) => (await this.#own(of)).map(({ name }) => name),
      readUrl: (url) => this.#readUrl(url),
      testStep: this.#testStep(),
      isBegun: begun.beginning !== undefined,
      signal,
    });
    const draft = await runSteps<Draft>({ root, ...begun }, steps);
    if (draft === undefined) return;
    const connection = connectionOf(draft);
    await this.#keep(draft, connection);
    vscode.window.setStatusBarMessage(editorText`$(check) DevDB: ${nameText(connection.name)} was added`, SHOWN_MS);
  }

  /** Removes a connection from `.devdbrc`, or one stored in the editor. */
  async remove(): Promise<void> {
    const chosen = await this.#choose(editorText`Remove which connection?`, () => true);
    if (chosen === undefined) return;
    const { root, connection } = chosen;
    const where = connection.from === 'devdbrc' ? plain` It is taken out of .devdbrc.` : plain``;
    const detail = editorText`${pathText(connection.shown)}${where} The database itself is not touched.`;
    const title = editorText`Remove ${nameText(connection.name)}?`;
    const answer = await vscode.window.showWarningMessage(title, { modal: true, detail }, 'Remove');
    if (answer !== 'Remove') return;
    const { client, store, signal } = this.#parts;
    if (connection.from === 'editor') await store.removeConnection(root, connection.name);
    else {
      const sidecar = await client(signal);
      await sidecar.call(eraseConnection, { root, id: connection.id }, { signal, timeoutMs: CALL_MS });
      if (connection.login !== undefined) await store.setPassword(root, connection.login, '');
    }
    await this.tellChanged(root);
  }

  /** Stores the password of a connection that has none of its own. */
  async setPassword(known?: unknown): Promise<void> {
    const { store, signal } = this.#parts;
    const wanted = knownSchema.safeParse(known).data;
    const chosen = await this.#choose(
      editorText`Set the password of which connection?`,
      ({ login }) => login !== undefined,
      wanted,
    );
    const login = chosen?.connection.login;
    if (chosen === undefined || login === undefined) return;
    const who = plain`${nameText(login.username)} at ${pathText(chosen.connection.shown)}`;
    const prompt = editorText`The password of ${who}. Leave it empty to forget it.`;
    const password = await askText({ prompt, isPassword: true }, ONLY_STEP, signal, editorText`DevDB: Set password`);
    if (password === undefined || password === BACK) return;
    await store.setPassword(chosen.root, login, password);
    await this.tellChanged(chosen.root);
  }

  /** Makes the sidecar, if one runs, ask again for what the editor stores. */
  async tellChanged(root: string): Promise<void> {
    const { client, signal } = this.#parts;
    await (await client(signal)).call(keptConnectionsChanged, { root }, { signal, timeoutMs: CALL_MS });
  }

  async #roots(): Promise<readonly string[]> {
    if (!vscode.workspace.isTrusted) {
      throw new AppError('E_UNTRUSTED_WORKSPACE', 'Connections cannot be added in a workspace that is not trusted.', {
        hint: 'Trust it with "Workspaces: Manage Workspace Trust".',
      });
    }
    const { client, signal } = this.#parts;
    const { projects } = await (await client(signal)).status(signal);
    if (projects.length === 0) throw new AppError('E_PROJECT_NOT_OPEN', 'DevDB serves no project in this window.');
    return projects.map(({ root }) => root);
  }

  async #own(root: string): Promise<readonly OwnConnection[]> {
    const { client, signal } = this.#parts;
    const sidecar = await client(signal);
    return (await sidecar.call(ownConnections, { root }, { signal, timeoutMs: CALL_MS })).connections;
  }

  async #choose(
    prompt: EditorText,
    fits: (connection: OwnConnection) => boolean,
    wanted?: z.output<typeof knownSchema>,
  ) {
    const roots = await this.#roots();
    const own = await Promise.all(
      roots.map(async (root) => (await this.#own(root)).filter(fits).map((connection) => ({ root, connection }))),
    );
    const choices = own.flat().map((value) => ({
      label: forEditor(nameText(value.connection.name)),
      description: forEditor(pathText(value.connection.shown)),
      detail: whereOf(value.connection, roots.length > 1 ? value.root : undefined),
      value,
    }));
    const named = choices.find(({ value }) => value.root === wanted?.root && value.connection.id === wanted.id);
    if (named !== undefined) return named.value;
    if (choices.length === 0) {
      throw new AppError('E_NOT_FOUND', 'This window has no such connection.', {
        hint: 'Change databases that DevDB found in other files there; "DevDB: Add connection" adds one.',
      });
    }
    const chosen = await askChoice(prompt, choices, ONLY_STEP, this.#parts.signal, prompt);
    return chosen === BACK ? undefined : chosen;
  }

  async #readUrl(url: string): ReturnType<ReadUrl> {
    const { client, signal } = this.#parts;
    const read = await (await client(signal)).call(readDatabaseUrl, { url }, { signal, timeoutMs: CALL_MS });
    if (!read.ok) return { problem: read.reason };
    if (read.type === 'sqlite') return { draft: { urlType: 'sqlite', path: read.path } };
    const { type, host, port, username, password, database, options } = read;
    const known = { ...(password === undefined ? {} : { password }), ...(database === '' ? {} : { database }) };
    const urlSays = Object.keys(known);
    return { draft: { urlType: type, urlSays, host, port: String(port), username, options, ...known } };
  }

  #testStep(): Step<Draft> {
    return {
      isSilent: true,
      run: async (draft) => {
        const connection = connectionOf(draft);
        const what = editorText`Testing connection to ${pathText(shownTarget(connection))}...`;
        const outcome = await whileBusy(what, (signal) => this.#test(draft, connection, signal), this.#parts.signal);
        if (outcome === BACK || outcome === undefined) return outcome ?? draft;
        return this.#afterFailure(draft, outcome);
      },
    };
  }

  /** Undefined when the database answered, otherwise what went wrong. */
  async #test({ root, password = '' }: Draft, connection: TypedConnection, signal: AbortSignal) {
    try {
      const sidecar = await this.#parts.client(signal);
      const given = password === '' ? {} : { password };
      await sidecar.call(testConnection, { root, connection, ...given }, { signal, timeoutMs: TEST_MS });
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted) throw error;
      return { message: error.message, hint: error.hint ?? '' };
    }
  }

  async #afterFailure(draft: Draft, failure: { message: string; hint: string }): Promise<Draft | Back | undefined> {
    const [change, save] = ['Change it', 'Keep it anyway'];
    const told = [failure.message, failure.hint]
      .filter((part) => part !== '')
      .map(sentenceText)
      .map(forEditor);
    const options = { modal: true, detail: told.join('\n\n') };
    const answer = await vscode.window.showWarningMessage('The connection does not work yet.', options, change, save);
    if (answer === change) return BACK;
    return answer === save ? draft : undefined;
  }

  async #keep({ root, keep, password = '' }: Draft, connection: TypedConnection): Promise<void> {
    const { client, store, signal } = this.#parts;
    // The password first, so that the connection works from the moment it exists.
    if (connection.type !== 'sqlite') await store.setPassword(root, connection, password);
    if (keep === 'editor') await store.addConnection(root, connection);
    await this.tellChanged(root);
    if (keep === 'devdbrc') {
      await (await client(signal)).call(writeConnection, { root, connection }, { signal, timeoutMs: CALL_MS });
    }
  }
}

function whereOf({ from, line }: OwnConnection, root: string | undefined): EditorText {
  const where = from === 'editor' ? plain`only on this machine` : plain`.devdbrc line ${line ?? 1}`;
  return root === undefined ? forEditor(where) : editorText`${where} of ${pathText(root)}`;
}
