import { AppError } from '@devdb/shared/errors';
import { formatStatements, splitStatements, tableNameAt } from '@devdb/shared/protocol/result-methods';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import { readerOf } from '../engines/index.ts';
import { tableAt } from '../engines/table-at.ts';
import { formatInThread } from '../formatting/in-thread.ts';
import { engineFor } from './project-databases.ts';
import type { WindowProjects } from './window-projects.ts';

export interface TextAnswersParts {
  readonly projects: Pick<WindowProjects, 'find' | 'bookOf'>;
  readonly bundleDir: string;
}

/** What the texts of a person's files are, as the engine of their database reads them. Opens no database. */
export function textAnswers({ projects, bundleDir }: TextAnswersParts): readonly PipeAnswer[] {
  return [
    pipeAnswer(splitStatements, async ({ text, ...where }, signal) => {
      // Without a database the most permissive of the dialects is as good as any.
      const reader = await readerOf((await engineFor(projects, where, signal)) ?? 'sqlite');
      return { spans: await reader.split(text) };
    }),
    pipeAnswer(tableNameAt, async ({ text, offset, ...where }, signal) => {
      const kind = await engineFor(projects, where, signal);
      const name = kind && (await tableAt(await readerOf(kind), text, offset));
      return name === undefined ? {} : { name: { ...name, path: [...name.path] } };
    }),
    pipeAnswer(formatStatements, async ({ text, from, to, indent, ...where }, signal) => {
      const kind = await engineFor(projects, where, signal);
      if (kind === undefined) throw noDialect();
      const part = { start: from, end: to };
      return { edits: [...(await formatInThread({ kind, text, part, indent }, bundleDir, signal))] };
    }),
  ];
}

/** Another engine may read the same text otherwise, so none is guessed. */
function noDialect(): AppError {
  const message = 'Nothing was formatted: the dialect is that of the database, and this project has none for the file.';
  return new AppError('E_NO_CONNECTION', message, {
    hint: 'Add a connection, or choose a database above the first statement.',
  });
}
