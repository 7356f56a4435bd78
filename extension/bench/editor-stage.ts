import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { obtainVsCode } from '../../fixtures/labs/vscode/install.ts';
import type { Settings } from '../../fixtures/labs/vscode/layout.ts';
import { VsCode } from '../../fixtures/labs/vscode/vscode.ts';
import type { EditorWindow } from '../../fixtures/labs/vscode/window.ts';
import { findRipgrep } from '../src/editor/search/ripgrep.ts';

const EXTENSION = join(import.meta.dirname, '..');
const TOOL_TIMEOUT_MS = 120_000;

const resultSchema = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

export type Window = EditorWindow<typeof vscode>;

/** Calls a tool over stdio as an agent does, and returns the text that its model reads; an error is thrown. */
export type AgentCall = (tool: string, input: object) => Promise<string>;

/** A window of a real editor on a project, and an agent beside it. */
export interface EditorStage {
  readonly root: string;
  readonly window: Window;
  readonly call: AgentCall;
  /** The editor's own ripgrep. */
  readonly ripgrep: string;
}

export interface StageOptions {
  /** Writes the project's files into this folder, which does not exist yet. */
  readonly project: (root: string) => void;
  readonly toolsets: readonly string[];
  readonly settings?: Settings;
  /** Settings of the machine, the only place for those that loosen safety. */
  readonly machineSettings?: Settings;
  /** Added to the editor's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens the project in an editor and passes both on; without an editor, the reason. Ends everything it started. */
export async function onStage<Result>(
  { project, toolsets, settings: more = {}, machineSettings = {}, env = {} }: StageOptions,
  use: (stage: EditorStage) => Promise<Result>,
): Promise<Result | string> {
  const install = await obtainVsCode();
  if ('notRun' in install) return install.notRun;
  const ripgrep = findRipgrep(install.appRoot);
  if (ripgrep === undefined) return 'the editor brings no ripgrep';
  const settings = { ...more, 'Devdb.mcp.toolsets': toolsets };
  const editor = await VsCode.start<typeof vscode>({ install, extension: EXTENSION, settings, machineSettings, env });
  try {
    const root = join(editor.projects, 'project');
    project(root);
    const window = await editor.open(root);
    await window.statusText(/:\d+/);
    const client = await openClient(editor.home, toolsets);
    try {
      const call: AgentCall = async (tool, input) => {
        const { isError = false, content } = resultSchema.parse(
          await client.callTool(tool, { projectRoot: root, ...input }),
        );
        const text = content.map((part) => part.text).join('\n');
        if (isError) throw new Error(`${tool}: ${text}`);
        return text;
      };
      return await use({ root, window, call, ripgrep });
    } finally {
      await client.close();
    }
  } finally {
    await editor.stop();
  }
}

async function openClient(home: string, toolsets: readonly string[]): Promise<McpClient> {
  const launcher = join(home, '.devdb', 'bin', 'devdb-mcp.cjs');
  if (!existsSync(launcher)) throw new Error('The editor has not put its launcher into its home.');
  const args = [launcher, '--toolsets', toolsets.join(','), '--timeout', String(TOOL_TIMEOUT_MS)];
  const client = new McpClient({ command: process.execPath, args, env: { PATH: process.env['PATH'], HOME: home } });
  await client.initialize('bench');
  return client;
}
