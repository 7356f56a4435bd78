import { ENGINES } from '@devdb/shared/engines';
import {
  eraseConnection,
  keptConnectionsChanged,
  ownConnections,
  readDatabaseUrl,
  testConnection,
  writeConnection,
} from '@devdb/shared/protocol/connection-methods';
import type { ResultOf } from '@devdb/shared/protocol/method';
import type { DatabaseDesk } from '../databases/database-desk.ts';
import { readDatabaseUrl as readUrl } from '../detection/readers/url.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';

interface EditedProjects {
  deskOf(root: string): DatabaseDesk;
  keptChanged(root: string): void;
}

/** The editor's requests to change a project's connections. */
export function connectionAnswers(projects: EditedProjects): readonly PipeAnswer[] {
  const deskOf = (root: string) => projects.deskOf(root);
  return [
    pipeAnswer(keptConnectionsChanged, async ({ root }) => {
      projects.keptChanged(root);
      return {};
    }),
    pipeAnswer(testConnection, ({ root, connection, password }, signal) =>
      deskOf(root).test(connection, password, signal),
    ),
    pipeAnswer(readDatabaseUrl, async ({ url }) => read(url)),
    pipeAnswer(writeConnection, ({ root, connection }, signal) => deskOf(root).write(connection, signal)),
    pipeAnswer(ownConnections, async ({ root }, signal) => ({ connections: await deskOf(root).own(signal) })),
    pipeAnswer(eraseConnection, ({ root, id }, signal) => deskOf(root).erase(id, signal)),
  ];
}

function read(text: string): ResultOf<typeof readDatabaseUrl> {
  const url = readUrl(text);
  if (url.kind === 'problem') return { ok: false, reason: url.reason };
  if (url.kind === 'sqlite') return { ok: true, type: 'sqlite', path: url.paths[0] ?? '' };
  const { host, port, user: username, password, database, options } = url.target;
  const type = /^mariadb/i.test(text.trim()) ? 'mariadb' : ENGINES[url.kind].type;
  // Opened for the pipe alone: the editor puts it into the form the user fills in.
  const opened = password === undefined ? {} : { password: password.open() };
  return { ok: true, type, host, port, username, database, options: { ...options }, ...opened };
}
