import { findTool } from '@devdb/shared/tools';
import * as z from 'zod';
import type { SampleEditor } from './sample-window.ts';
import { until } from './until.ts';

const record = z.record(z.string(), z.unknown());
const sessions = z.object({ sessions: z.array(z.object({ sessionId: z.string() })) });

export type Data = Record<string, unknown>;

/** On a busy machine everything takes a multiple; tests about a short time give one. */
function patience(tool: string): Data {
  return Object.hasOwn(findTool(tool)?.input.shape ?? {}, 'timeoutMs') ? { timeoutMs: 150_000 } : {};
}

/** An agent that debugs: a client of the stdio entry that reads what a model would. */
export class DebugAgent {
  readonly #sample: SampleEditor;
  readonly #call: (tool: string, args: Data) => Promise<{ readonly text: string; readonly isError: boolean }>;
  readonly close: () => Promise<void>;

  private constructor(sample: SampleEditor, client: Awaited<ReturnType<SampleEditor['devdb']['stdioClient']>>) {
    this.#sample = sample;
    this.#call = (tool, args) => client.call(tool, { ...patience(tool), ...args });
    this.close = () => client.close();
  }

  static async start(sample: SampleEditor, args: readonly string[] = []): Promise<DebugAgent> {
    return new DebugAgent(sample, await sample.devdb.stdioClient(args));
  }

  /** What a tool answers; its error is thrown as the text that a model reads. */
  async call(tool: string, input: Data = {}): Promise<Data> {
    const { text, isError } = await this.#call(tool, { projectRoot: this.#sample.root, ...input });
    if (isError) throw new Error(text);
    const parsed = record.parse(JSON.parse(text));
    return record.parse(parsed['data'] ?? parsed);
  }

  /** The code of the answer; `ok` where it is none. */
  async code(tool: string, input: Data = {}): Promise<string> {
    const { text, isError } = await this.#call(tool, { projectRoot: this.#sample.root, ...input });
    return isError ? (/^\[(\w+)\]/.exec(text)?.[1] ?? text) : 'ok';
  }

  /** Ends every session and takes every breakpoint away, as a test found it. */
  async reset(): Promise<void> {
    await this.#sample.window.run(async (vscode) => {
      await vscode.debug.stopDebugging();
      vscode.debug.removeBreakpoints([...vscode.debug.breakpoints]);
    });
    await until('no session is left', async () => {
      return sessions.parse(await this.call('debug_status')).sessions.length === 0;
    });
  }
}
