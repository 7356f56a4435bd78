import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListed } from '@devdb/shared/tools/toolsets';
import { isVsCode } from '@devdb/shared/vscode-client';
import { isRecord } from './messages.ts';
import { isOn, type StdioOptions } from './options.ts';

/** The file the bundler writes beside the entry: the tools as listed, ready to send. */
export const TOOL_LIST_FILE = 'stdio-tools.json';

/** One tool of that file. */
export interface ListedTool {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly toolset: string;
  /** Its calls change nothing, so one may be sent again when its link broke. */
  readonly readOnly: boolean;
  /** The tool as tools/list shows it, as JSON text. */
  readonly json: string;
}

/** A tool by the name it was called with, and whether it is offered. */
export interface FoundTool {
  readonly tool: ListedTool;
  readonly on: boolean;
}

/** The tools of this build. Read from disk on first use, so that the answer to `initialize` does not wait for it. */
export class ToolList {
  readonly #bundleDir: string;
  readonly #options: StdioOptions;
  #tools: readonly ListedTool[] | undefined;
  #byName: ReadonlyMap<string, ListedTool> | undefined;

  constructor(bundleDir: string, options: StdioOptions) {
    this.#bundleDir = bundleDir;
    this.#options = options;
  }

  /** The result of tools/list for a client of this name, as JSON text. */
  listJson(clientName: string): string {
    const named = this.#options.toolsets ?? [];
    const offered = this.load().filter(
      ({ toolset }) => isOn(toolset, this.#options) && isListed(toolset, named, clientName),
    );
    return `{"tools":[${(this.#isFor(clientName) ? offered : []).map((tool) => tool.json).join(',')}]}`;
  }

  find(name: string, clientName: string): FoundTool | undefined {
    if (!this.#isFor(clientName)) return undefined;
    this.#byName ??= new Map(this.load().flatMap((tool) => [tool.name, ...tool.aliases].map((key) => [key, tool])));
    const tool = this.#byName.get(name);
    return tool && { tool, on: isOn(tool.toolset, this.#options) };
  }

  /** All tools, offered or not. */
  load(): readonly ListedTool[] {
    this.#tools ??= readTools(join(this.#bundleDir, TOOL_LIST_FILE));
    return this.#tools;
  }

  #isFor(clientName: string): boolean {
    return this.#options.fromMcpJson !== true || !isVsCode(clientName);
  }
}

function readTools(file: string): readonly ListedTool[] {
  const raw: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(raw) || !raw.every(isListedTool)) throw new Error(`${file} is not a list of tools.`);
  return raw;
}

function isListedTool(value: unknown): value is ListedTool {
  if (!isRecord(value)) return false;
  const { name, toolset, json, readOnly, aliases } = value;
  return (
    [name, toolset, json].every((text) => typeof text === 'string') &&
    typeof readOnly === 'boolean' &&
    Array.isArray(aliases)
  );
}
