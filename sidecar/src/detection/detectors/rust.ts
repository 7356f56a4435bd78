import { posix } from 'node:path';
import type { EngineKind } from '../../engines/engine.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import type { ProjectView } from '../project-view.ts';
import { readToml } from '../readers/toml.ts';
import { addSettingsFiles } from './settings-files.ts';

const NAME = 'rust';
/** Features and packages of sqlx, diesel and SeaORM that name an engine. */
const ENGINES: readonly (readonly [EngineKind, RegExp])[] = [
  ['postgres', /"(sqlx-)?postgres"|tokio-postgres/],
  ['mysql2', /"(sqlx-)?mysql"|mysql_async/],
  ['mssql', /"mssql"|tiberius/],
  ['sqlite', /"(sqlx-)?sqlite"|rusqlite/],
];

const MEMBERS = /^members\s{0,20}=\s{0,20}\[([^\]]{0,10000})\]/m;
const MAX_MEMBERS = 80;

/** Whether the root is a workspace without a program of its own, whose programs use different engines. */
export async function isOfSeveralPrograms(project: ProjectView): Promise<boolean> {
  const read = await project.read('Cargo.toml');
  if (read.state !== 'text' || /^\[package\]/m.test(read.text)) return false;
  const [, list = ''] = MEMBERS.exec(read.text) ?? [];
  const members = [...list.matchAll(/["']([\w-][\w./-]{0,200})["']/g)].map(([, folder = '']) => folder);
  const engines = new Set<EngineKind>();
  for (const folder of members.filter((one) => !one.split('/').includes('..')).slice(0, MAX_MEMBERS)) {
    const manifest = await project.read(posix.join(folder, 'Cargo.toml'));
    const [only, ...others] = manifest.state === 'text' ? enginesIn(manifest.text) : [];
    if (only !== undefined && others.length === 0) engines.add(only);
  }
  return engines.size > 1;
}

function enginesIn(manifest: string): readonly EngineKind[] {
  return ENGINES.filter(([, pattern]) => pattern.test(manifest)).map(([kind]) => kind);
}

/** The settings files of Rust programs. sqlx, diesel and SeaORM take DATABASE_URL, which is read with all variables. */
export const rust: Detector = {
  name: NAME,
  looksFor: ['config/*.yaml, configuration/*.yaml, config.toml, and <package>.toml beside Cargo.toml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('Cargo.toml')) continue;
      const manifest = (await collector.textOf(app, app.path('Cargo.toml'))) ?? '';
      const program = String(readToml(manifest).values.get('package.name')?.value ?? '');
      await addSettingsFiles(app, collector, enginesIn(manifest), signal, program);
    }
    return collector.detection;
  },
};
