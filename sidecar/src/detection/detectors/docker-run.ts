import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import { Collector } from '../collector.ts';
import { ACCOUNTS, engineOfImage } from '../compose-server.ts';
import { shortPort } from '../compose-service.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { type DockerRun, dockerRuns } from '../readers/docker-run.ts';

const NAME = 'docker-run';
const MAX_FILES = 60;
const SEARCH: Search = {
  files: /^(?:[\w.-]{1,80}\.sh|(?:GNU)?[Mm]akefile|\.?[Jj]ustfile)$/,
  enters: (name, depth) => depth === 1 && /^(?:scripts?|bin|dev|tools|hack)$/.test(name),
  most: 8,
};
const TESTS = /(?:^|[._-])(?:tests?|ci|e2e)(?:[._-]|$)/i;

interface Started {
  readonly file: string;
  readonly kind: ServerKind;
  readonly run: DockerRun;
  readonly host: string;
  readonly port: number;
}

/** Databases that a script of the project starts with `docker run`, for a project without settings that name another. */
export const dockerRun: Detector = {
  name: NAME,
  looksFor: ['docker run of a database in Makefile, justfile and *.sh of the root, scripts, bin, dev, tools'],
  async detect(project, signal) {
    const collector = new Collector(NAME, PRIORITY.script);
    const [root] = await project.apps(signal);
    if (root === undefined) return collector.detection;
    const environment = await project.environment(root, signal);
    const started = new Map<string, Started>();
    for (const file of (await filesBelow(root, SEARCH, signal)).slice(0, MAX_FILES)) {
      const text = (await collector.textOf(root, file)) ?? '';
      for (const run of dockerRuns(text, (name) => environment.definition(name)?.entry)) {
        const one = startedBy(file, run);
        // Scripts often start the same container again.
        if (one !== undefined && !started.has(nameOf(one))) started.set(nameOf(one), one);
      }
    }
    const own = [...started.values()].filter((one) => !isForTests(one));
    // Of several a person starts the one that is needed.
    const servers = new Set(own.map(({ kind, host, port }) => `${kind} ${host}:${port}`));
    const undecided: true | undefined = servers.size > 1 ? true : undefined;
    for (const one of started.values()) {
      const { file, kind, run, host, port } = one;
      const account = ACCOUNTS[kind](run.environment);
      const place = { what: nameOf(one), file, line: run.line, environment: isForTests(one) ? 'test' : '', undecided };
      if (typeof account === 'string') collector.skip(file, run.line, `${place.what}: ${account}`);
      else collector.server(root, place, { kind, host, port, ...account });
    }
    return collector.detection;
  },
};

/** A database server that this machine reaches. */
function startedBy(file: string, run: DockerRun): Started | undefined {
  const kind = engineOfImage(run.image);
  if (kind === undefined) return undefined;
  const published = run.ports.map(shortPort).find((port) => port?.container === ENGINES[kind].port);
  if (published?.port === undefined) return undefined;
  return { file, kind, run, host: published.host, port: published.port };
}

function nameOf({ file, run }: Pick<Started, 'file' | 'run'>): string {
  return run.name ?? file.replace(/\.sh$/, '');
}

function isForTests({ run, file }: Started): boolean {
  return TESTS.test(run.target) || TESTS.test(run.name ?? '') || TESTS.test(file);
}
