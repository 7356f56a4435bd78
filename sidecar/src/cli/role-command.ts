import { SERVER_TYPES } from '@devdb/shared/engines';
import { engineKindOf } from '../detection/readers/engine-names.ts';
import {
  type Command,
  type CommandContext,
  type OptionValues,
  projectOption,
  textOption,
  UsageError,
} from './command.ts';
import { type RoleSubject, roleText, subjectIn, subjectOf } from './role.ts';
import { withBook } from './with-book.ts';

const DEFAULT_NAME = 'devdb_reader';

/** `devdb role`. */
export const roleCommand: Command = {
  name: 'role',
  usage:
    'role --print [--project DIR] [--connection ID] [--name NAME] [--schemas a,b]\n       devdb role --print --engine KIND --database NAME [--name NAME] [--schemas a,b]',
  summary: 'Prints the SQL script that makes a role which can only read, for an administrator to read and run.',
  help: [
    '  --project DIR    whose database it is for; the current folder unless said',
    '  --connection ID  another one than the default, by its id from list-connections or devdb doctor',
    '  --engine KIND    without a project: postgres, mysql, mariadb or mssql, with --database NAME',
    `  --name NAME      the role; ${DEFAULT_NAME} unless said`,
    '  --schemas a,b    only these schemas (MySQL: these databases too); all unless said',
    '',
    'Nothing is connected to and nothing is run. The script works only with a password that you write into it.',
  ],
  options: {
    print: { type: 'boolean' },
    project: { type: 'string' },
    connection: { type: 'string' },
    engine: { type: 'string' },
    database: { type: 'string' },
    name: { type: 'string' },
    schemas: { type: 'string' },
  },
  run: async (values, _positionals, context) => {
    if (values.get('print') !== true) throw new UsageError('--print is missing: the script is printed, never run.');
    const wishes = { name: textOption(values, 'name') ?? DEFAULT_NAME, schemas: schemasOption(values) };
    context.print(roleText(await subjectFor(values, context), wishes));
    return 0;
  },
};

function subjectFor(values: OptionValues, context: CommandContext): RoleSubject | Promise<RoleSubject> {
  const [engine, database] = [textOption(values, 'engine'), textOption(values, 'database')];
  if (engine === undefined) {
    if (database !== undefined) throw new UsageError('--database goes with --engine; a project has its own.');
    const root = projectOption(new Map([['project', '.'], ...values]));
    const id = textOption(values, 'connection');
    return withBook(root, context, ({ book }, signal) => subjectIn(book, id, signal));
  }
  if (values.has('project') || values.has('connection')) {
    throw new UsageError('--engine stands for itself: leave out --project and --connection, or --engine.');
  }
  const kind = engineKindOf(engine);
  if (kind === undefined) {
    throw new UsageError(`--engine takes ${SERVER_TYPES.join(', ')} or sqlite, not "${engine}".`);
  }
  if (database === undefined && kind !== 'sqlite') throw new UsageError('--database NAME is missing.');
  return subjectOf(kind, database ?? '');
}

function schemasOption(values: OptionValues): readonly string[] | undefined {
  return textOption(values, 'schemas')
    ?.split(',')
    .map((schema) => schema.trim());
}
