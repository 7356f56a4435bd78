import { basename } from 'node:path';
import { labelText, nameText, type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ProjectOutcome } from '@devdb/shared/protocol/handshake';
import type { DatabaseState } from '@devdb/shared/protocol/sidecar-methods';
import { type EditorText, editorLines, editorText, forEditor } from '../editor-text.ts';
import type { WindowState } from './window-state.ts';

/** The window's state as shown in the status bar; nothing where no folder is open. */
export interface StatusText {
  readonly text: EditorText;
  readonly tooltip: EditorText;
  /** For a screen reader, which does not read icons. */
  readonly spoken: EditorText;
  readonly isFailure: boolean;
}

const CLICK = editorText`Click for actions.`;

/** The window's state in a few words. */
export function statusText(state: WindowState): StatusText | undefined {
  if (!state.hasFolder) return undefined;
  const { sidecar } = state;
  switch (sidecar.kind) {
    case 'off':
      return shown(
        editorText`$(circle-slash) DevDB off`,
        editorText`DevDB is off`,
        editorText`DevDB is off: Devdb.enableMcpServer is false for this folder.`,
      );
    case 'stopped':
      return shown(
        editorText`$(circle-slash) DevDB stopped`,
        editorText`DevDB was stopped`,
        editorText`DevDB was stopped in this window.`,
      );
    case 'starting':
      return shown(editorText`$(loading~spin) DevDB`, editorText`DevDB is starting`, editorText`DevDB is starting.`);
    case 'failed': {
      const why = editorText`DevDB stopped: ${sentenceText(sidecar.reason)}.`;
      return { ...shown(editorText`$(error) DevDB`, editorText`DevDB stopped`, why), isFailure: true };
    }
    case 'running':
      return running(sidecar.projects, state.databases);
  }
}

function running(projects: readonly ProjectOutcome[], databases: WindowState['databases']): StatusText {
  const [first] = projects;
  const more = projects.length > 1 ? plain` +${projects.length - 1}` : plain``;
  const lines = editorLines(projects.map((project) => forEditor(projectLine(project, databases))));
  if (first === undefined || 'problem' in first) {
    return { ...shown(editorText`$(warning) DevDB${more}`, lines, lines), isFailure: true };
  }
  const database = databases.get(first.root);
  const name = database !== undefined && 'name' in database ? plain` ${labelText(database.name)}` : plain``;
  if (first.tokenlessPort !== undefined) {
    const told = editorText`DevDB, open without a token on port ${first.tokenlessPort}`;
    return {
      ...shown(editorText`$(unlock) DevDB :${first.port} no token :${first.tokenlessPort}${more}`, told, lines),
      isFailure: true,
    };
  }
  const spoken = editorText`DevDB, port ${first.port}${name}${more}`;
  return shown(editorText`$(database) DevDB :${first.port}${name}${more}`, spoken, lines);
}

function projectLine(project: ProjectOutcome, databases: WindowState['databases']): PlainText {
  if ('problem' in project) return plain`${nameText(basename(project.given))}: ${sentenceText(project.problem)}`;
  const { root, port, tokenlessPort } = project;
  const line = plain`${nameText(basename(root))} on 127.0.0.1:${port}: ${databaseWords(databases.get(root))}`;
  if (tokenlessPort === undefined) return line;
  return plain`${line} Every program on this machine may call its editor tools on port ${tokenlessPort}, without a token: see Devdb.http.tokenless.`;
}

function databaseWords(database: DatabaseState | undefined): PlainText {
  if (database === undefined) return plain`looking for its database.`;
  if ('problem' in database) return sentenceText(database.problem);
  return plain`${nameText(database.name)} (${nameText(database.engine)})`;
}

function shown(text: EditorText, spoken: EditorText, tooltip: EditorText): StatusText {
  return { text, spoken, tooltip: editorLines([tooltip, CLICK]), isFailure: false };
}
