import type { EngineKind } from '../../engines/engine.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
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

/** The settings files of Rust programs. sqlx, diesel and SeaORM take DATABASE_URL, which is read with all variables. */
export const rust: Detector = {
  name: NAME,
  looksFor: ['config/*.yaml, configuration/*.yaml, config.toml, and <package>.toml beside Cargo.toml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('Cargo.toml')) continue;
      const manifest = (await collector.textOf(app, app.path('Cargo.toml'))) ?? '';
      const engines = ENGINES.filter(([, pattern]) => pattern.test(manifest)).map(([kind]) => kind);
      const program = String(readToml(manifest).values.get('package.name')?.value ?? '');
      await addSettingsFiles(app, collector, engines, signal, program);
    }
    return collector.detection;
  },
};
