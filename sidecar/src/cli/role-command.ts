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
  summary: 'Prints an SQL script that creates a read-only role, for an administrator to review and run.',
  help: [
    '  --project DIR    the project whose database it is for; default: the current folder',
    '  --connection ID  a database other than the default, by its id from list-connections or devdb doctor',
    '  --engine KIND    without a project: postgres, mysql, mariadb or mssql, with --database NAME',
    `  --name NAME      the role; default: ${DEFAULT_NAME}`,
    '  --schemas a,b    only these schemas (MySQL: databases); default: all',
    '',
    'It connects to nothing and runs nothing. You put a password into the script before you run it.',
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
    throw new UsageError('--engine cannot be combined with --project or --connection.');
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
