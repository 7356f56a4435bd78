import { type RoleWriter, sqlComment } from '../role.ts';

/** SQLite has no roles: the script is one sentence. */
export const sqliteRole: RoleWriter = {
  nameProblem: () => undefined,
  schemasOf: () => [],
  script: () =>
    sqlComment(
      'SQLite has no users and no roles, so there is nothing to grant: DevDB opens the file read-only for every read.',
      "The file's permissions decide who else can write it.",
    ),
};
