import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import { isAsideFolder } from './app-folder.ts';
import { type Account, engineOf, SYSTEM_DATABASES } from './compose-server.ts';
import type { ComposeService } from './compose-service.ts';
import { isConsole, toolOf } from './compose-tools.ts';
import { partOf } from './detectors/environment-groups.ts';
import { engineKindOf } from './readers/engine-names.ts';

interface Server {
  readonly service: ComposeService;
  readonly kind: ServerKind;
  /** Undefined where the variables do not determine it. */
  readonly database: string | undefined;
}

/** Database services of which nothing says whether the application uses them. */
export interface Unchosen {
  readonly services: ReadonlySet<ComposeService>;
  /** For each folder whose services leave the engine open, one of them. */
  readonly open: readonly Server[];
}

/** The account and database that a service's container makes, or why they are not known. */
export type AccountOf = (service: ComposeService, kind: ServerKind) => Account | string;

/**
 * Of servers of several engines the application uses the one that a program among the services names. A server that
 * was given no database of its own is not the application's where others were.
 */
export function unchosenOf(services: readonly ComposeService[], accountOf: AccountOf): Unchosen {
  const unchosen = new Set<ComposeService>();
  const open: Server[] = [];
  const all = serversIn(services, accountOf);
  for (const one of all) {
    if (isBehind(one, all, services) || isOfOtherEngine(one, services)) unchosen.add(one.service);
  }
  for (const servers of byFolder(all).values()) {
    const named = new Set(servers.filter(({ service }) => isNamed(service, services)));
    for (const one of servers) {
      const isAlternative = servers.some(({ kind, database }) => kind !== one.kind && database === one.database);
      if (isAlternative && one.database !== undefined && !named.has(one)) unchosen.add(one.service);
    }
    const reached = servers.filter(isPublished);
    const ownOnly = reached.filter(hasOnlySystems);
    if (ownOnly.length < reached.length) for (const { service } of ownOnly) unchosen.add(service);
    const [first] = reached;
    const severalEngines = reached.some(({ kind }) => kind !== first?.kind);
    if (first === undefined || !severalEngines || reached.some((one) => named.has(one) && !hasOnlySystems(one)))
      continue;
    for (const { service } of reached) unchosen.add(service);
    open.push(first);
  }
  return { services: unchosen, open };
}

/** Whether a server without a database of its own stands beside one of the same engine, also in another folder, that has one. */
function isBehind(one: Server, all: readonly Server[], services: readonly ComposeService[]): boolean {
  if (one.database === undefined || one.database !== SYSTEM_DATABASES[one.kind]) return false;
  if (!isPublished(one) || isNamed(one.service, services)) return false;
  return all.some(
    ({ service, kind, database }) =>
      kind === one.kind &&
      database !== undefined &&
      database !== one.database &&
      !isAsideFolder(service.folder) &&
      isPublished({ service, kind, database }),
  );
}

/** Whether the project's own programs beside a server get an engine by their variables, and only others: `DB_ENGINE: sqlite`. */
function isOfOtherEngine({ service: { folder }, kind }: Server, services: readonly ComposeService[]): boolean {
  const own = services.filter((one) => one.folder === folder && one.builds && engineOf(one) === undefined);
  const told = own
    .flatMap(({ environment }) => [...environment])
    .flatMap(([name, text = '']) =>
      partOf(name)?.field === 'kind' ? (engineKindOf(text.slice(text.lastIndexOf('.') + 1)) ?? []) : [],
    );
  return told.length > 0 && !told.includes(kind);
}

function isPublished({ service, kind }: Server): boolean {
  return service.ports.some(({ container }) => container === (service.listens ?? ENGINES[kind].port));
}

/** SQL Server's images make no database. */
function hasOnlySystems({ kind, database }: Server): boolean {
  return kind === 'mssql' && database === 'master';
}

function serversIn(services: readonly ComposeService[], accountOf: AccountOf): Server[] {
  return services.flatMap((service): Server[] => {
    const kind = engineOf(service);
    if (kind === undefined || service.forTests) return [];
    const account = accountOf(service, kind);
    const database = typeof account === 'string' ? undefined : account.database;
    return toolOf(database ?? '', service, services) === undefined ? [{ service, kind, database }] : [];
  });
}

function byFolder(servers: readonly Server[]): Map<string, Server[]> {
  const folders = new Map<string, Server[]>();
  for (const one of servers) {
    const { folder } = one.service;
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  return folders;
}

/** Whether a program's variables name this server, or it needs this one alone of the servers. */
function isNamed(service: ComposeService, services: readonly ComposeService[]): boolean {
  const near = services.filter(({ folder }) => folder === service.folder);
  const programs = near.filter((one) => engineOf(one) === undefined && !isConsole(one));
  const words = programs
    .flatMap(({ environment }) => [...environment.values()])
    .flatMap((text) => text?.toLowerCase().split(/[^a-z0-9._-]+/) ?? []);
  if (service.names.some((name) => words.includes(name))) return true;
  return programs.some(({ dependsOn }) => {
    const needed = near.filter((one) => engineOf(one) !== undefined && dependsOn.includes(one.name.toLowerCase()));
    return needed.length === 1 && needed[0] === service;
  });
}
