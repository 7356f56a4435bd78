import { basename } from 'node:path';
import { MAX_STATUS_NAME_CHARS } from '@devdb/shared/limits';
import type { ProjectOutcome } from '@devdb/shared/protocol/handshake';
import type { DatabaseState } from '@devdb/shared/protocol/sidecar-methods';
import type { WindowState } from './window-state.ts';

/** What the status bar shows of a window; nothing at all where no folder is open. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For a screen reader, which reads no icons. */
  readonly spoken: string;
  readonly isFailure: boolean;
}

const CLICK = 'Click for what can be done.';

/** The truth about the window in a few words. */
export function statusText(state: WindowState): StatusText | undefined {
  if (!state.hasFolder) return undefined;
  const { sidecar } = state;
  switch (sidecar.kind) {
    case 'off':
      return plain(
        '$(circle-slash) DevDB off',
        'DevDB is off',
        'DevDB is off: Devdb.enableMcpServer is false for this folder.',
      );
    case 'stopped':
      return plain('$(circle-slash) DevDB stopped', 'DevDB was stopped', 'DevDB was stopped in this window.');
    case 'starting':
      return plain('$(loading~spin) DevDB', 'DevDB is starting', 'DevDB is starting.');
    case 'failed':
      return {
        ...plain('$(error) DevDB', 'DevDB stopped', `DevDB stopped: ${sidecar.reason}.`),
        isFailure: true,
      };
    case 'running':
      return running(sidecar.projects, state.databases);
  }
}

function running(projects: readonly ProjectOutcome[], databases: WindowState['databases']): StatusText {
  const [first] = projects;
  const more = projects.length > 1 ? ` +${projects.length - 1}` : '';
  const lines = projects.map((project) => projectLine(project, databases));
  if (first === undefined || 'problem' in first) {
    const why = lines.join('\n');
    return { ...plain(`$(warning) DevDB${more}`, why, why), isFailure: true };
  }
  const database = databases.get(first.root);
  const name = database !== undefined && 'name' in database ? ` ${shortened(database.name)}` : '';
  const spoken = `DevDB, port ${first.port}${name}${more}`;
  return plain(`$(database) DevDB :${first.port}${name}${more}`, spoken, lines.join('\n'));
}

function projectLine(project: ProjectOutcome, databases: WindowState['databases']): string {
  if ('problem' in project) return `${basename(project.given)}: ${project.problem}`;
  const { root, port } = project;
  return `${basename(root)} on 127.0.0.1:${port}: ${databaseWords(databases.get(root))}`;
}

function databaseWords(database: DatabaseState | undefined): string {
  if (database === undefined) return 'looking for its database.';
  return 'problem' in database ? database.problem : `${database.name} (${database.engine})`;
}

function plain(text: string, spoken: string, tooltip: string): StatusText {
  return { text, spoken, tooltip: `${tooltip}\n${CLICK}`, isFailure: false };
}

function shortened(name: string): string {
  // An icon's name in the text of a status bar item becomes a picture.
  const shown = name.replaceAll('$(', '$\u200b(').replaceAll(/\s+/g, ' ');
  const letters = [...shown];
  return letters.length > MAX_STATUS_NAME_CHARS ? `${letters.slice(0, MAX_STATUS_NAME_CHARS - 1).join('')}…` : shown;
}
