import { posix } from 'node:path';
import type { ServerTarget } from '../engines/engine.ts';
import type { Compose } from './compose.ts';
import { engineOf } from './compose-server.ts';
import type { ComposeService } from './compose-service.ts';
import { type Finding, PRIORITY, type Skipped } from './detector.ts';

/** Names that always mean this machine. */
const HERE = /^(localhost|127\.[\d.]+|\[?::1\]?|\/.*|)$/i;

/** An address that servers listen on. */
const ANY_ADDRESS = /^(0\.0\.0\.0|\[?::\]?)$/;
/** What containers call the machine they run on. */
const CONTAINERS_HOST = /^host\.(docker|containers)\.internal$/i;

/**
 * The finding as this machine can reach it: a host name inside the compose network becomes the port that the service
 * publishes. Without such a port, the reason why it is left out.
 */
export function inReach(finding: Finding, compose: Compose): { found: Finding } | { skipped: Skipped } {
  if ('file' in finding.target) return { found: finding };
  const { host, port } = finding.target;
  const folder = posix.dirname(finding.source.file).replace(/^\.$/, '');
  const isHere = HERE.test(host);
  const service = isHere ? inDevContainer(finding, folder, compose) : compose.named(host, folder);
  if (isHere && (service === undefined || service.ports.some((one) => one.port === port))) return { found: finding };
  if (service === undefined) return isContainersName(finding, host) ? withoutService(finding) : { found: finding };
  const published = service.ports.find(({ container }) => container === port);
  if (published) {
    return { found: { ...finding, target: { ...finding.target, host: published.host, port: published.port } } };
  }
  const { user, database } = finding.target;
  const suggests = { kind: finding.kind, host: '127.0.0.1', port, user, database };
  const { file, line } = finding.source;
  return {
    skipped: {
      unread: 'settings',
      suggests,
      file,
      line,
      reason: `${finding.id}: the host ${host} ${withoutPort(service, port)}`,
    },
  };
}

/**
 * The only server of the finding's engine beside variables of a development container: to them `localhost` is that
 * container, whose network is the server's own.
 */
function inDevContainer(
  { kind, priority }: Finding,
  folder: string,
  { services }: Compose,
): ComposeService | undefined {
  if (posix.basename(folder) !== '.devcontainer' || priority >= PRIORITY.compose) return undefined;
  const [only, ...others] = services.filter((one) => one.folder === folder && engineOf(one) === kind);
  return others.length === 0 ? only : undefined;
}

/** The usual names of database services. A name with an underscore is a service's too: no host of the internet has one. */
const CONTAINER = /^(db|database|postgres|postgresql|mysql|mariadb|mssql|sqlserver)$/i;

function isContainersName({ priority }: Finding, host: string): boolean {
  // The user's own settings for DevDB mean what they say.
  return priority >= PRIORITY.environment && (CONTAINER.test(host) || (host.includes('_') && !host.includes('.')));
}

function withoutService({ id, kind, target, source: { file, line } }: Finding): { skipped: Skipped } {
  const { port, user, database, host } = 'file' in target ? { host: '' } : target;
  const reason = `${id}: the host ${host} is a container's name, and no compose file here has such a service; name the database in .devdbrc as this machine reaches it`;
  return {
    skipped: { unread: 'settings', suggests: { kind, host: '127.0.0.1', port, user, database }, file, line, reason },
  };
}

/** An address that servers listen on is this machine to their clients; so is the host's name outside containers. */
export function onThisMachine(finding: Finding, inContainer: boolean): Finding {
  const { target } = finding;
  if ('file' in target) return finding;
  const isHere = ANY_ADDRESS.test(target.host) || (!inContainer && CONTAINERS_HOST.test(target.host));
  return isHere ? { ...finding, target: { ...target, host: '127.0.0.1' } } : finding;
}

/** Why a service cannot be reached from here, and what to do. */
export function withoutPort({ name, file, line, floating }: ComposeService, port: number): string {
  const which = `is the compose service ${name} (${file} line ${line})`;
  return floating.includes(port)
    ? `${which}, which gets a free port only when it runs: publish a fixed one, e.g. "127.0.0.1:${port}:${port}"`
    : `${which}, which publishes no port ${port}: add one under ports, e.g. "127.0.0.1:${port}:${port}"`;
}

/** A server's container has only `master` of its own; a connection string to the same server names the application's. */
export function withApplicationsDatabase(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { kind, target, source } = finding;
    if (kind !== 'mssql' || source.by !== 'compose' || 'file' in target || target.database !== 'master') return finding;
    const own = findings.find((other) => other.source.by !== 'compose' && isSameServer(other, target));
    if (own === undefined || 'file' in own.target) return finding;
    const { database } = own.target;
    return { ...finding, name: database, target: { ...target, database }, unnamed: undefined };
  });
}

/** A database that settings leave out is the one that the server's own container makes for the same user. */
export function withServersDatabase(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { target, usersDatabase } = finding;
    if (usersDatabase === undefined || 'file' in target) return finding;
    const made = findings.flatMap((other) => (isContainerOf(other, finding.kind, target) ? [other.name] : []));
    const [database, ...others] = new Set(made);
    if (database === undefined || others.length > 0) return finding;
    return { ...finding, name: database, target: { ...target, database } };
  });
}

const CONTAINERS: ReadonlySet<string> = new Set(['compose', 'docker-run']);

function isContainerOf(one: Finding, kind: Finding['kind'], { host, port, user }: ServerTarget): boolean {
  if (one.kind !== kind || 'file' in one.target || !CONTAINERS.has(one.source.by)) return false;
  const isHere = one.target.host === host || (HERE.test(one.target.host) && HERE.test(host));
  return isHere && one.target.port === port && one.target.user === user && one.neverDefault !== 'tests';
}

function isSameServer({ kind, target }: Finding, { host, port }: ServerTarget): boolean {
  if (kind !== 'mssql' || 'file' in target || target.database === 'master' || target.port !== port) return false;
  return target.host === host || (HERE.test(target.host) && HERE.test(host));
}
