import type { ToolFacts } from '@devdb/shared/tools/tool-facts';
import { isChosen } from '@devdb/shared/tools/toolsets';
import type * as vscode from 'vscode';
import type { VscodeAgent } from '../window/settings.ts';

/** What the editor's own agent should have now. */
export interface AgentWishes {
  readonly agent: VscodeAgent;
  readonly trusted: boolean;
  /** Of the project that tools without a root mean; undefined while DevDB is off. */
  readonly selection: { readonly toolsets: readonly string[]; readonly disabledTools: readonly string[] } | undefined;
}

export interface AgentAccessParts {
  readonly wishes: () => AgentWishes;
  readonly tools: readonly ToolFacts[];
  readonly registerTools: (tools: readonly ToolFacts[]) => readonly vscode.Disposable[];
  readonly registerServer: () => vscode.Disposable | undefined;
  /** Reports whether a tool is off, for the manifest's conditions. */
  readonly tellOff: (tool: string, off: boolean) => void;
}

/** Gives the editor's own agent the tools in one way only, and follows settings and trust. */
export class AgentAccess {
  readonly #parts: AgentAccessParts;
  readonly #tools = new Map<string, readonly vscode.Disposable[]>();
  readonly #off = new Set<string>();
  #server: vscode.Disposable | undefined;

  constructor(parts: AgentAccessParts) {
    this.#parts = parts;
  }

  /** Settings, folders or trust may have changed. */
  update(): void {
    const wishes = this.#parts.wishes();
    const wanted = wishes.agent === 'tools' ? this.#parts.tools.filter((tool) => isOffered(tool, wishes)) : [];
    this.#setServer(wishes.agent === 'mcp' && wishes.selection !== undefined);
    this.#setTools(wanted);
    for (const tool of this.#parts.tools) this.#tell(tool.name, !isOn(tool, wishes));
  }

  dispose(): void {
    this.#setServer(false);
    this.#setTools([]);
  }

  #setTools(wanted: readonly ToolFacts[]): void {
    const names = new Set(wanted.map(({ name }) => name));
    for (const [name, registered] of this.#tools) {
      if (names.has(name)) continue;
      this.#tools.delete(name);
      for (const one of registered) one.dispose();
    }
    for (const tool of wanted) {
      if (!this.#tools.has(tool.name)) this.#tools.set(tool.name, this.#parts.registerTools([tool]));
    }
  }

  #setServer(wanted: boolean): void {
    if (wanted) this.#server ??= this.#parts.registerServer();
    else {
      this.#server?.dispose();
      this.#server = undefined;
    }
  }

  #tell(tool: string, off: boolean): void {
    if (this.#off.has(tool) === off) return;
    if (off) this.#off.add(tool);
    else this.#off.delete(tool);
    this.#parts.tellOff(tool, off);
  }
}

function isOffered(tool: ToolFacts, wishes: AgentWishes): boolean {
  return wishes.selection !== undefined && isOn(tool, wishes) && (wishes.trusted || tool.readOnly);
}

function isOn({ name, toolset }: ToolFacts, { selection }: AgentWishes): boolean {
  if (selection === undefined) return true;
  return isChosen(toolset, selection.toolsets) && !selection.disabledTools.includes(name);
}
