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

const PIECES: readonly Piece[] = [
  { use: 'development', file: '.env', text: url('DATABASE_URL') },
  { use: 'development', file: '.env', text: url('POSTGRES_URL') },
  { use: 'development', file: 'app.env', text: group('DB') },
  { use: 'development', file: 'compose.yml', text: compose },
  { use: 'development', file: 'docker-compose.dev.yml', text: compose },
  { use: 'development', file: 'config/database.yml', text: rails('development') },
  { use: 'development', file: 'appsettings.json', text: json },
  { use: 'development', file: 'src/main/resources/application.properties', text: spring },
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
const MARKERS = ['Gemfile', 'pom.xml', 'package.json', 'App.csproj', 'manage.py', 'artisan', 'composer.json'];
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
        for (const marker of markers) append(marker, marker === 'package.json' ? '{"dependencies":{"pg":"8"}}' : '');
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
