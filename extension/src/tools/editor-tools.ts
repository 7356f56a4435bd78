import { AppError } from '@devdb/shared/errors';
import { editorToolProgress, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import type { Peer } from '@devdb/shared/protocol/peer';
import type { Toolset } from '@devdb/shared/tools/toolsets';
import type * as z from 'zod';
import { EditorCall, type EditorCallParts } from './editor-call.ts';
import type { EditorContext } from './editor-context.ts';
import { loadHandlers } from './load-handlers.ts';

interface Runner {
  // A method, not a property: each handler takes its own tool's input, which was parsed by then.
  run(input: Record<string, unknown>, context: EditorContext): Promise<unknown>;
}

export type EditorToolsParts = Pick<EditorCallParts, 'settings' | 'onFault'>;

/** Answers the sidecar's calls of tools that run in the editor. A toolset is loaded with the first call of one of them. */
export class EditorTools {
  readonly #parts: EditorToolsParts;
  readonly #loaded = new Map<Toolset, Promise<ReadonlyMap<string, Runner>>>();

  constructor(parts: EditorToolsParts) {
    this.#parts = parts;
  }

  /** Offers them on a pipe that is about to be read. */
  offer(peer: Peer): void {
    peer.answer(runEditorTool, (params, signal) =>
      this.#run(params, signal, (progress) => peer.tell(editorToolProgress, { call: params.call, ...progress })),
    );
  }

  async #run(
    { root, tool: name, input }: z.output<typeof runEditorTool.params>,
    signal: AbortSignal,
    progress: EditorContext['progress'],
  ): Promise<unknown> {
    const { findTool } = await import('@devdb/shared/tools');
    const { parseInput } = await import('@devdb/shared/tools/parse-input');
    const tool = findTool(name);
    const runner = tool && (await this.#handlersOf(tool.toolset)).get(tool.name);
    if (tool === undefined || runner === undefined) throw unknownHere(name);
    const call = new EditorCall({ ...this.#parts, root, signal, progress });
    try {
      return await runner.run(parseInput(tool, input), call);
    } catch (error) {
      if (tool.annotations.readOnlyHint) throw error;
      if (!(error instanceof AppError)) this.#parts.onFault(error);
      throw call.withOutcome(error);
    }
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
