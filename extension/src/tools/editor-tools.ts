import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import type { Toolset } from '@devdb/shared/tools/toolsets';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { Terminals } from '../editor/terminals.ts';
import type { EditorToolRunner } from '../sidecar/sidecar-client.ts';
import { EditorCall, type EditorCallParts } from './editor-call.ts';
import type { EditorContext } from './editor-context.ts';
import { loadHandlers } from './load-handlers.ts';

interface Runner {
  // A method, not a property: each handler takes its own tool's input, which has been parsed by then.
  run(input: Record<string, unknown>, context: EditorContext): Promise<unknown>;
}

export interface EditorToolsParts {
  /** A folder shared by all the user's windows. */
  readonly storage: string;
  readonly debug: EditorCallParts['debug'];
  readonly onFault: EditorCallParts['onFault'];
}

/** Answers the sidecar's calls of editor tools. A toolset is loaded with its first call. */
export class EditorTools {
  readonly #parts: EditorToolsParts;
  #borrowed: Promise<BorrowedSettings> | undefined;
  #terminals: Promise<Terminals> | undefined;
  #ended = false;
  readonly #loaded = new Map<Toolset, Promise<ReadonlyMap<string, Runner>>>();

  constructor(parts: EditorToolsParts) {
    this.#parts = parts;
  }

  readonly run: EditorToolRunner = async (params, signal, progress) => {
    const { root, tool: name, input, client, approved, agreed } = params;
    const { findTool } = await import('@devdb/shared/tools');
    const { parseInput } = await import('@devdb/shared/tools/parse-input');
    const tool = findTool(name);
    const runner = tool && (await this.#handlersOf(tool.toolset)).get(tool.name);
    if (tool === undefined || runner === undefined) throw unknownHere(name);
    const parsed = parseInput(tool, input);
    const call = new EditorCall({
      root,
      signal,
      progress,
      client: client.id,
      approved,
      agreed,
      onlyAgreed: tool.approval?.shownByEditor?.(parsed) ?? false,
      settings: await this.#settings(),
      terminals: () => this.watchTerminals(),
      debug: this.#parts.debug,
      onFault: this.#parts.onFault,
    });
    try {
      return await runner.run(parsed, call);
    } catch (error) {
      if (tool.annotations.readOnlyHint) throw error;
      if (!(error instanceof AppError)) this.#parts.onFault(error);
      throw call.withOutcome(error);
    }
  };

  /** Restores settings that an earlier run of the window left changed. */
  async repair(): Promise<void> {
    if (!existsSync(this.#settingsFolder)) return;
    await (await this.#settings()).restoreLeftovers();
  }

  /** From now on what commands write in terminals is kept, for tools that read it. */
  watchTerminals(): Promise<Terminals> {
    this.#terminals ??= import('../editor/terminals.ts').then(({ Terminals }) => {
      const terminals = new Terminals();
      if (this.#ended) terminals.dispose();
      return terminals;
    });
    return this.#terminals;
  }

  /** Closes the terminals that were opened for commands. */
  async end(): Promise<void> {
    this.#ended = true;
    (await this.#terminals)?.dispose();
  }

  get #settingsFolder(): string {
    return join(this.#parts.storage, 'borrowed-settings');
  }

  #settings(): Promise<BorrowedSettings> {
    this.#borrowed ??= import('../editor/borrowed-settings.ts').then(
      ({ BorrowedSettings }) => new BorrowedSettings(this.#settingsFolder, this.#parts.onFault),
    );
    return this.#borrowed;
  }

  #handlersOf(toolset: Toolset): Promise<ReadonlyMap<string, Runner>> {
    const known = this.#loaded.get(toolset);
    if (known !== undefined) return known;
    const loading = load(toolset);
    this.#loaded.set(toolset, loading);
    return loading;
  }
}

async function load(toolset: Toolset): Promise<ReadonlyMap<string, Runner>> {
  const handlers = (await loadHandlers[toolset]?.()) ?? {};
  return new Map<string, Runner>(Object.entries(handlers).map(([name, run]) => [name, { run }]));
}

function unknownHere(name: string): AppError {
  return new AppError('E_NOT_FOUND', `The editor has no tool ${name}.`, {
    hint: 'Reload the window: the editor and its sidecar may be of different versions.',
  });
}
