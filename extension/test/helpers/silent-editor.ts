import { AppError } from '@devdb/shared/errors';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import type { EditorSide } from '../../src/sidecar/sidecar-client.ts';
import type { SidecarCommand } from '../../src/sidecar/sidecar-process.ts';
import type { SupervisorOptions } from '../../src/sidecar/supervisor.ts';

/** Settings of a trusted folder: ask before writes, the database toolset only, no entries for clients. */
export const SETTINGS: ProjectSettings = {
  writes: 'ask',
  approvals: 'ask',
  trusted: true,
  toolsets: ['database'],
  disabledTools: [],
  mcpJson: { entry: 'off', inGit: false },
};

/** Starts the script on this Node, with a separate home. */
export function commandIn(home: string, script: string): () => SidecarCommand {
  return () => ({ nodePath: process.execPath, script, env: { ...process.env, DEVDB_HOME: home } });
}

export interface SilentEditorOptions
  extends Pick<SupervisorOptions, 'command' | 'projects'>,
    Partial<Omit<SupervisorOptions, 'side' | 'command' | 'projects'>> {
  readonly side?: Partial<EditorSide>;
}

/** A supervisor's options in an editor that ignores all messages and answers every question with no. */
export function silentEditor({ side, ...options }: SilentEditorOptions): SupervisorOptions {
  return {
    side: {
      version: '1.1.0',
      editor: 'test',
      client: { id: 'window', name: 'test' },
      ask: async () => 'no',
      notify: () => undefined,
      projectChanged: () => undefined,
      runTool: async ({ tool }) => {
        throw new AppError('E_NOT_FOUND', `This editor has no tool ${tool}.`);
      },
      onFault: () => undefined,
      ...side,
    },
    onState: () => undefined,
    onLogLine: () => undefined,
    log: () => undefined,
    now: () => 0,
    pause: async () => undefined,
    ...options,
  };
}
