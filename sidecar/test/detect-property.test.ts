import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { gather } from '../src/databases/known.ts';
import { detect } from '../src/detection/detect.ts';
import { DETECTORS } from '../src/detection/index.ts';

type Use = 'development' | 'tests' | 'production';

interface Piece {
  readonly use: Use;
  readonly file: string;
  /** The text with the name of a database that no other piece has. */
  readonly text: (database: string) => string;
}

const url = (variable: string) => (database: string) => `${variable}=postgres://u:p@localhost:5432/${database}\n`;
const group = (prefix: string) => (database: string) =>
  `${prefix}_HOST=localhost\n${prefix}_PORT=5432\n${prefix}_NAME=${database}\n${prefix}_USER=u\n`;
const compose = (database: string): string =>
  `services:\n  ${database}:\n    image: postgres\n    ports: ["5544:5432"]\n    environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: ${database}}\n`;
const rails = (section: string) => (database: string) =>
  `${section}:\n  adapter: postgresql\n  host: localhost\n  database: ${database}\n`;
const json = (database: string): string =>
  JSON.stringify({ ConnectionStrings: { Main: `Host=localhost;Database=${database};Username=u` } });
const spring = (database: string): string => `spring.datasource.url=jdbc:postgresql://localhost/${database}\n`;

const settings = (database: string): string =>
  JSON.stringify({ database: { type: 'postgres', host: 'localhost', name: database } });
const phoenix = (database: string): string =>
  `import Config\nconfig :shop, Shop.Repo, username: "u", hostname: "localhost", database: "${database}"\n`;
const yii = (database: string): string =>
  `<?php return ['components' => ['db' => ['dsn' => 'mysql:host=localhost;dbname=${database}', 'username' => 'u']]];`;
const flask = (name: string) => (database: string) =>
  `class ${name}Config:\n    SQLALCHEMY_DATABASE_URI = "postgresql://u@localhost/${database}"\n`;
const web = (database: string): string =>
  `services:\n  db:\n    image: postgres\n    ports: ["5545:5432"]\n    environment: {POSTGRES_PASSWORD: x}\n  web:\n    environment: {DATABASE_URL: "postgres://u@db/${database}"}\n`;
const lando = (database: string): string =>
  `services:\n  db:\n    type: postgres\n    portforward: 5546\n    creds: {database: ${database}}\n`;

const PIECES: readonly Piece[] = [
  { use: 'development', file: '.env', text: url('DATABASE_URL') },
  { use: 'development', file: '.env', text: url('POSTGRES_URL') },
  { use: 'development', file: 'app.env', text: group('DB') },
  { use: 'development', file: 'compose.yml', text: compose },
  { use: 'development', file: 'docker-compose.dev.yml', text: compose },
  { use: 'development', file: 'config/database.yml', text: rails('development') },
  { use: 'development', file: 'appsettings.json', text: json },
  { use: 'development', file: 'src/main/resources/application.properties', text: spring },
  { use: 'development', file: 'src/main/resources/application-dev.properties', text: spring },
  { use: 'development', file: 'config/default.json', text: settings },
  { use: 'development', file: 'config/dev.exs', text: phoenix },
  { use: 'development', file: 'common/config/main-local.php', text: yii },
  { use: 'development', file: 'config.py', text: flask('Development') },
  { use: 'development', file: 'compose.yaml', text: web },
  { use: 'development', file: '.lando.yml', text: lando },
  { use: 'tests', file: 'config/test.json', text: settings },
  { use: 'tests', file: 'config/test.exs', text: phoenix },
  { use: 'tests', file: 'common/config/test-local.php', text: yii },
  { use: 'tests', file: 'config.py', text: flask('Testing') },
  { use: 'tests', file: 'docker-compose.test.yml', text: web },
  { use: 'production', file: 'config/production.json', text: settings },
  { use: 'production', file: 'config/prod.exs', text: phoenix },
  { use: 'production', file: 'config.py', text: flask('Production') },
  { use: 'production', file: 'docker-compose.prod.yml', text: web },
  { use: 'tests', file: '.env', text: url('TEST_DATABASE_URL') },
  { use: 'tests', file: '.env', text: url('DATABASE_URL_TEST') },
  { use: 'tests', file: '.env', text: url('E2E_DB_URL') },
  { use: 'tests', file: '.env', text: group('TEST_DB') },
  { use: 'tests', file: '.env.test', text: url('DATABASE_URL') },
  { use: 'tests', file: '.env.test.local', text: group('DB') },
  { use: 'tests', file: 'test.env', text: url('DB_URL') },
  { use: 'tests', file: 'docker-compose.test.yml', text: compose },
  { use: 'tests', file: 'compose.e2e.yaml', text: compose },
  { use: 'tests', file: 'tests/compose.yml', text: compose },
  { use: 'tests', file: 'e2e/.env', text: url('DATABASE_URL') },
  { use: 'tests', file: 'config/database.yml', text: rails('test') },
  { use: 'tests', file: 'appsettings.Test.json', text: json },
  { use: 'tests', file: 'src/main/resources/application-test.properties', text: spring },
  { use: 'production', file: '.env', text: url('PROD_DATABASE_URL') },
  { use: 'production', file: '.env', text: url('PRODUCTION_DB_URL') },
  { use: 'production', file: '.env', text: group('PROD_DB') },
  { use: 'production', file: '.env.production', text: url('DATABASE_URL') },
  { use: 'production', file: '.env.staging', text: group('DB') },
  { use: 'production', file: 'prod.env', text: url('DB_URL') },
  { use: 'production', file: 'docker-compose.prod.yml', text: compose },
  { use: 'production', file: 'production/compose.yml', text: compose },
  { use: 'production', file: 'config/database.yml', text: rails('production') },
  { use: 'production', file: 'appsettings.Production.json', text: json },
  { use: 'production', file: 'src/main/resources/application-prod.properties', text: spring },
];
const MARKERS = [
  'Gemfile',
  'pom.xml',
  'package.json',
  'App.csproj',
  'manage.py',
  'artisan',
  'composer.json',
  'mix.exs',
  'go.mod',
  'Cargo.toml',
  'requirements.txt',
  'yii',
];
/** The packages that say the engine where settings do not. */
const textOfMarker = (marker: string): string =>
  marker === 'package.json' ? '{"dependencies":{"pg":"8"}}' : marker === 'mix.exs' ? '{:postgrex, ">= 0.0.0"}\n' : '';
const BROKEN = ['', '{{', '"', '<% if x %>', '\u0000', '[1, 2', 'a: &a [*a]', '${' + 'A:-$' + '{A}}', '\ufeff', "'''"];
const NAMED = [
  '.env',
  'compose.yml',
  'config/database.yml',
  'config/database.php',
  'app/settings.py',
  'manage.py',
  'package.json',
  'src/app.module.ts',
  'drizzle.config.ts',
  'knexfile.js',
  'appsettings.json',
  '.devdbrc',
  '.lando.yml',
  '.wp-env.json',
  '.ddev/config.yaml',
  'prisma/schema.prisma',
  'config/default.json',
  'config/dev.exs',
  'config.py',
  'wp-config.php',
  'config/packages/doctrine.yaml',
];

const tree = fc.record({
  pieces: fc.array(
    fc.record({ piece: fc.constantFrom(...PIECES), folder: fc.constantFrom('', 'apps/web', 'backend') }),
    {
      maxLength: 8,
    },
  ),
  markers: fc.subarray(MARKERS),
  noise: fc.array(
    fc.record({
      file: fc.constantFrom(...NAMED),
      text: fc.oneof(
        fc.constantFrom(...BROKEN),
        fc.string({ maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 80 }),
      ),
    }),
    { maxLength: 4 },
  ),
});

it('takes no default whose source is for tests or production, throws nothing and ends, whatever the project', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async ({ pieces, markers, noise }) => {
      const root = mkdtempSync(join(tmpdir(), 'devdb-tree-'));
      try {
        const texts = new Map<string, string>();
        const uses = new Map<string, Use>();
        const append = (file: string, text: string): void => {
          // A settings file in JSON is one value.
          const before = file.endsWith('.json') ? '' : (texts.get(file) ?? '');
          texts.set(file, before + text);
        };
        for (const { file, text } of noise) append(file, text);
        for (const marker of markers) append(marker, textOfMarker(marker));
        for (const [index, { piece, folder }] of pieces.entries()) {
          const database = `origin${index}`;
          uses.set(database, piece.use);
          const file = join(folder, piece.file);
          append(
            file,
            `${(texts.get(file) ?? '').endsWith('\n') || !texts.has(file) ? '' : '\n'}${piece.text(database)}`,
          );
        }
        for (const [file, text] of texts) {
          mkdirSync(join(root, dirname(file)), { recursive: true });
          writeFileSync(join(root, file), text);
        }
        const failures: unknown[] = [];
        const options = { projectRoot: root, detectors: DETECTORS, now: Date.now };
        const log = (_event: string, facts: unknown): void => void failures.push(facts);
        const { found } = await detect({ ...options, log }, AbortSignal.timeout(10_000));
        expect(failures).toEqual([]);
        const chosen = gather(found, () => '').known.find(
          (one) => one.needsTrust === undefined && one.found.neverDefault === undefined,
        );
        const use = chosen && uses.get(chosen.found.name);
        expect([undefined, 'development']).toContain(use);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 250 },
  );
}, 300_000);

/** Files that detection leaves unread, since they are for places that serve users. */
const LEFT_UNREAD = 'docker-compose.prod.yml';

it.each(
  PIECES.filter(({ file }) => file !== LEFT_UNREAD).map(
    (piece, index) => [`${piece.file} for ${piece.use} (${index})`, piece] as const,
  ),
)(
  'reads the database of %s where it stands alone, so that the property says something',
  async (_what, { file, text }) => {
    const root = mkdtempSync(join(tmpdir(), 'devdb-piece-'));
    try {
      // Laravel says itself what its variables mean.
      for (const marker of MARKERS.filter((name) => name !== 'artisan'))
        writeFileSync(join(root, marker), textOfMarker(marker));
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), text('origin'));
      const options = { projectRoot: root, detectors: DETECTORS, now: Date.now, log: () => undefined };
      const { found } = await detect(options, AbortSignal.timeout(10_000));
      expect(found.map(({ name }) => name)).toContain('origin');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
