import { createHash } from 'node:crypto';
import { joined, nameText, type PlainText, pathText, plain } from '@devdb/shared/plain-text';
import * as z from 'zod';
import type { Found } from '../detection/detect.ts';
import { ChangingFile } from '../host/changing-file.ts';
import { atomicWrite, jsonOf, type OnBroken, readOrSetAside } from '../host/files.ts';
import type { Home } from '../host/home.ts';
import { readIfThere } from '../host/read-file.ts';
import type { HomeLock } from '../registry/home-lock.ts';

/** The version of the file's format; also part of each hash. */
const FORMAT = 1;

const approvalSchema = z.object({
  projectRoot: z.string(),
  connection: z.string(),
  target: z.string(),
  reason: z.string(),
  approvedAt: z.string(),
});
const fileSchema = z.object({ version: z.literal(FORMAT), approvals: z.record(z.string(), approvalSchema) });
const parseFile = jsonOf(fileSchema);

type TrustFile = z.infer<typeof fileSchema>;

const NO_APPROVALS: TrustFile = { version: FORMAT, approvals: {} };

/** What is stored with an approval, for people who read the file. */
export interface Approval {
  readonly hash: string;
  readonly connection: string;
  readonly target: string;
  readonly reason: string;
}

export interface TrustOptions {
  readonly home: Home;
  readonly lock: Pick<HomeLock, 'run'>;
  readonly projectRoot: string;
  readonly now: () => Date;
  /** Called when trust.json did not parse. Nothing in it counts then. */
  readonly onBroken: OnBroken;
}

/** The approvals of one project: permanent ones in trust.json, outside the repository, and those for this run alone. */
export class Trust {
  readonly #options: TrustOptions;
  readonly #forRun = new Set<string>();
  #toldBroken = false;
  readonly #file: ChangingFile<TrustFile>;

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#file = new ChangingFile(options.home.trust, { read: () => this.#read(), absent: NO_APPROVALS });
  }

  /** The hash that identifies what is approved; it changes with everything the approval covers. */
  hashOf(found: Found): string {
    return trustHash(this.#options.projectRoot, found);
  }

  /** The approved hashes as of now: another process may have changed them. */
  approved(): ReadonlySet<string> {
    return new Set([...this.#forRun, ...Object.keys(this.#file.current().approvals)]);
  }

  approveForRun(approvals: readonly Approval[]): void {
    for (const { hash } of approvals) this.#forRun.add(hash);
  }

  async approve(approvals: readonly Approval[], signal: AbortSignal): Promise<void> {
    const { projectRoot, now } = this.#options;
    const approvedAt = now().toISOString();
    await this.#change(signal, (file) => ({
      ...file,
      ...Object.fromEntries(approvals.map(({ hash, ...about }) => [hash, { projectRoot, ...about, approvedAt }])),
    }));
  }

  async revoke(hashes: readonly string[], signal: AbortSignal): Promise<void> {
    for (const hash of hashes) this.#forRun.delete(hash);
    await this.#change(signal, (file) =>
      Object.fromEntries(Object.entries(file).filter(([hash]) => !hashes.includes(hash))),
    );
  }

  async #change(
    signal: AbortSignal,
    change: (approvals: TrustFile['approvals']) => TrustFile['approvals'],
  ): Promise<void> {
    const { home, lock, onBroken } = this.#options;
    await lock.run(signal, () => {
      const before = readOrSetAside(home.trust, parseFile, onBroken)?.approvals ?? {};
      const file: TrustFile = { version: FORMAT, approvals: change(before) };
      atomicWrite(home.trust, `${JSON.stringify(file, null, 2)}\n`, { durable: true });
    });
  }

  #read(): TrustFile {
    const { home, onBroken } = this.#options;
    try {
      const text = readIfThere(home.trust);
      return text === undefined ? NO_APPROVALS : parseFile(text);
    } catch (cause) {
      if (!this.#toldBroken) onBroken({ file: home.trust, movedTo: home.trust, cause });
      this.#toldBroken = true;
      return NO_APPROVALS;
    }
  }
}

/** Why a database needs approval before it is connected to; undefined when it needs none. */
export function reasonForTrust(found: Found): PlainText | undefined {
  if (found.typedIn) return undefined;
  const reasons: PlainText[] = [];
  if ('file' in found.target) {
    if (found.outside) reasons.push(plain`the file is outside the project`);
  } else {
    const hosts = [found.target.host, ...otherHosts(found.target.options)];
    for (const host of hosts.filter((one) => !isLoopback(one)))
      reasons.push(plain`the host ${pathText(host)} is not this machine`);
    for (const { option, path } of found.outsideFiles) {
      reasons.push(plain`its option ${nameText(option)} names a file outside the project: ${pathText(path)}`);
    }
  }
  for (const { field, variable } of found.processVariables ?? []) {
    const [name, use] = [nameText(variable), nameText(field)];
    reasons.push(
      plain`the variable ${name} of your environment is used as its ${use}, for ${found.shown} (${nameText(found.kind)})`,
    );
  }
  if (found.environment !== undefined) {
    const [file, environment] = [pathText(found.source.file), nameText(found.environment)];
    reasons.push(plain`${file} belongs to the environment "${environment}", not to development`);
  }
  if (found.passwordCommand !== undefined) {
    const command = pathText(found.passwordCommand.argv.join(' '));
    reasons.push(plain`a command of the project is run to get its password: ${command}`);
  }
  return reasons.length === 0 ? undefined : joined(reasons, plain`; `);
}

const HOST_OPTION =
  /^(host|hostaddr|hostname|server|socket|unix_?socket|socketpath|datasource|addr|address|proxy\w*|ssh\w*)$/i;

/** In some drivers an option replaces the host, so its value is judged like the host. */
function otherHosts(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options)
    .filter(([name]) => HOST_OPTION.test(name))
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

const HERE: ReadonlySet<string> = new Set(['localhost', '::1', '0:0:0:0:0:0:0:1', '.', '(local)']);

/**
 * Whether a host is this machine by definition: a name that merely resolves to it may resolve elsewhere tomorrow. After
 * a backslash comes an instance of SQL Server, which also accepts `.` and `(local)` for this machine.
 */
export function isLoopback(host: string): boolean {
  const plain = host
    .replace(/\\[\w$#]+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  // Two slashes mean another machine's pipe or share, where they mean anything.
  if (HERE.has(plain) || /^\/(?!\/)/.test(plain)) return true;
  const octets = /^(?:::ffff:)?(127)\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(plain)?.slice(1).map(Number);
  return octets?.every((octet) => octet <= 255) ?? false;
}

/** Covers everything an approval is about. Not the password: a new one is the same target. */
export function trustHash(projectRoot: string, found: Found): string {
  const { kind, target, source, environment, passwordCommand, unresolved = [], processVariables = [] } = found;
  const where =
    'file' in target ? [target.file] : [target.host, target.port, target.user, target.database, target.options];
  const references = unresolved
    .filter(({ field }) => field !== 'password')
    .map(({ field, variables }) => [field, variables]);
  const files = found.outsideFiles.map(({ path }) => path);
  const variables = processVariables.map(({ field, variable }) => [field, variable]);
  const about = [environment, passwordCommand, references, files, variables];
  const subject = [FORMAT, projectRoot, kind, where, source.file, source.by, ...about];
  return createHash('sha256').update(JSON.stringify(subject, sortedKeys)).digest('hex');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
