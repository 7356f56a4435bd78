import { ENGINE_KINDS, ENGINES, type EngineKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { driversOf } from '../driver-packages.ts';
import { engineKindOf } from '../readers/engine-names.ts';

/** The engine of a group of variables, or why it is unknown. */
export type GroupEngine =
  | { readonly kind: EngineKind; readonly reason?: undefined }
  | { readonly kind: undefined; readonly reason: string };

const IN_PREFIX: readonly (readonly [RegExp, EngineKind])[] = [
  [/(^|_)(PG|POSTGRES|POSTGRESQL)\d?(_|$)/, 'postgres'],
  [/(^|_)(MYSQL|MARIADB)\d?(_|$)/, 'mysql2'],
  [/(^|_)(MSSQL|SQLSERVER)\d?(_|$)/, 'mssql'],
  [/(^|_)SQLITE\d?(_|$)/, 'sqlite'],
];

/** Decides by what the variables say, then by the prefix, the port, and the packages the application depends on. */
export async function engineOf(
  app: AppFolder,
  group: { readonly prefix: string; readonly said: string | undefined; readonly port: string | undefined },
): Promise<GroupEngine> {
  const { prefix, said, port } = group;
  if (said) {
    // Django writes its engines as modules.
    const kind = engineKindOf(said) ?? engineKindOf(said.slice(said.lastIndexOf('.') + 1));
    if (kind !== undefined) return { kind };
    if (/^(mongo\w*|oracle\w*|redis|h2|cassandra|dynamodb)$/i.test(said)) {
      return { kind: undefined, reason: 'the application uses an engine that DevDB does not support' };
    }
  }
  const named = IN_PREFIX.find(([words]) => words.test(prefix))?.[1];
  const byPort = ENGINE_KINDS.find((kind) => kind !== 'sqlite' && String(ENGINES[kind].port) === port);
  const kind = named ?? byPort ?? (await byPackages(app));
  if (kind !== undefined) return { kind };
  const reason =
    'describes a database, but neither a variable, the port nor the packages say its engine; name it in .devdbrc';
  return { kind: undefined, reason };
}

async function byPackages(app: AppFolder): Promise<EngineKind | undefined> {
  const [kind, ...others] = new Set(
    (await driversOf(app)).map((driver) => driver.kind).filter((one) => one !== 'sqlite'),
  );
  return others.length === 0 ? kind : undefined;
}
