import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import { suggestionFrom } from '../databases/suggestion.ts';
import { readDevdbrc } from '../detection/detectors/devdbrc.ts';
import { explain } from './explain.ts';

const signal = AbortSignal.timeout(30_000);
let project: FixtureProject;

beforeEach(() => {
  project = new FixtureProject();
});
afterEach(() => project.remove());

describe('explain', () => {
  const explained = async (file: string): Promise<string> =>
    await explain(project.root, file, await project.book().state(signal));

  it('says line by line what was read from a file, without a password or a value that is no part of a database', async () => {
    project.write(
      '.env',
      'SECRET_KEY=hush-1\nDATABASE_URL=postgres://u:hush-2@localhost/d\nMYSQL_URL=mysql://u:$' + '{NOPE}@localhost/x\n',
    );
    const text = await explained('.env');
    expect(text.split('\n')).toEqual([
      '.env',
      '  line 1: sets SECRET_KEY',
      '  line 2: sets DATABASE_URL to postgres://u:[secret]@localhost:5432/d',
      '  line 2: env:DATABASE_URL (default): postgres localhost:5432/d, by database-url',
      '  line 3: sets MYSQL_URL',
      '  line 3: left out: MYSQL_URL refers to NOPE, which the .env files do not set',
    ]);
    expect(text).not.toContain('hush');
  });

  it('lists each field that a database has its parts from', async () => {
    project.write(
      '.env',
      'APP_KEY=hush-1\nDB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_PORT=3307\nDB_DATABASE=shop\nDB_USERNAME=u\nDB_PASSWORD=hush-2\nAPI_TOKEN=shop\nMAIL_HOST=elsewhere\n',
    );
    const text = await explained('.env');
    expect(text.split('\n').filter((line) => / sets /.test(line))).toEqual([
      '  line 1: sets APP_KEY',
      '  line 2: sets DB_CONNECTION to mysql',
      '  line 3: sets DB_HOST to 127.0.0.1',
      '  line 4: sets DB_PORT to 3307',
      '  line 5: sets DB_DATABASE to shop',
      '  line 6: sets DB_USERNAME to u',
      '  line 7: sets DB_PASSWORD to [secret]',
      '  line 8: sets API_TOKEN',
      '  line 9: sets MAIL_HOST',
    ]);
    expect(text).not.toContain('hush');
  });

  it.each([
    [
      'config/config.yml',
      'database:\n  driver: postgres\n  host: localhost\n  port: 5433\n  user: u\n  password: hush\n  name: shop\nkey: hush\n',
      ['driver to postgres', 'host to localhost', 'port to 5433', 'user to u', 'password to [secret]', 'name to shop'],
    ],
    [
      'config/config.toml',
      '[database]\ndriver = "postgres"\nhost = "localhost"\nport = 5433\nuser = "u"\npassword = "hush"\nname = "shop"\n',
      ['driver to postgres', 'host to localhost', 'port to 5433', 'user to u', 'password to [secret]', 'name to shop'],
    ],
    [
      'config/config.json',
      '{"database": {\n"dsn": "postgres://u:hush@localhost:5433/shop?sslpassword=hush"\n}}',
      ['dsn to postgres://u:[secret]@localhost:5433/shop'],
    ],
  ])('lists the fields of %s with their lines', async (file, text, fields) => {
    project.write('go.mod', 'module shop\n');
    project.write(file, text);
    const lines = (await explained(file)).split('\n');
    expect(lines.filter((line) => / sets /.test(line))).toEqual(
      fields.map((field, index) => `  line ${2 + index}: sets database.${field}`),
    );
    expect(lines.join('\n')).not.toContain('hush');
  });

  it('says line by line what program code gives to a database, and which variables it takes', async () => {
    const code = [
      "import { DataSource } from 'typeorm';",
      "const token = 'hush-1';",
      'export default new DataSource({',
      "  type: 'postgres',",
      "  host: 'localhost', port: Number(process.env.DB_PORT ?? '5433'),",
      '  username: process.env.DB_USER,',
      "  password: 'hush-2',",
      "  database: process.env.DB_NAME || 'shop',",
      "  secret: 'shop',",
      "  logging: process.env.DB_LOGGING === 'true',",
      '});',
    ];
    project.write('package.json', '{"dependencies":{"typeorm":"1","pg":"1"}}');
    project.write('.env', 'A=1\nDB_USER=u\n');
    project.write('src/data-source.ts', code.join('\n'));
    const text = await explained('src/data-source.ts');
    expect(text.split('\n')).toEqual([
      'src/data-source.ts',
      '  line 3: typeorm:default (default): postgres localhost:5433/shop, by typeorm',
      '  line 4: sets type to postgres',
      '  line 5: sets host to localhost',
      '  line 5: takes port from DB_PORT, which the .env files do not set, else 5433',
      '  line 6: takes username from DB_USER (.env line 2)',
      '  line 7: sets password to [secret]',
      '  line 8: takes database from DB_NAME, which the .env files do not set, else shop',
    ]);
    expect(text).not.toContain('hush');
  });

  it.each([
    [
      'app/settings.py',
      "import os\nDATABASES = {'default': {\n'ENGINE': 'django.db.backends.postgresql',\n'NAME': os.environ.get('DB_NAME', 'shop'),\n'HOST': 'localhost',\n'PASSWORD': os.getenv('DB_PASS', 'hush'),\n}}\nOTHER = {'NAME': parsed.get('database', 'name')}\nSTATIC_URL = os.getenv('STATIC_URL')\n",
      [
        '4: takes NAME from DB_NAME, which the .env files do not set, else shop',
        '5: sets HOST to localhost',
        '6: takes PASSWORD from DB_PASS, which the .env files do not set, else [secret]',
      ],
    ],
    [
      'main.go',
      'package main\nfunc main() {\n\tdsn := "postgres://u:hush@localhost/shop"\n\tsql.Open("postgres", dsn)\n}\n',
      ['3: sets dsn to postgres://u:[secret]@localhost:5432/shop'],
    ],
  ])('does so for %s', async (file, code, expected) => {
    project.write('manage.py', "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings')\n");
    project.write('go.mod', 'module shop\n');
    project.write(file, code);
    const text = await explained(file);
    expect(text.split('\n').filter((line) => / (sets|takes) /.test(line))).toEqual(
      expected.map((line) => `  line ${line}`),
    );
    expect(text).not.toContain('hush');
  });

  it('says nothing of the values of code that no database was read from', async () => {
    project.write('.env', 'DATABASE_URL=postgres://u:p@localhost/d\n');
    project.write('src/other.ts', "const host = 'localhost';\n");
    expect(await explained('src/other.ts')).toMatch(/nothing in it names a database/);
  });

  it('says when nothing in a file names a database', async () => {
    project.write('notes.txt', 'hello');
    expect(await explained('notes.txt')).toBe('notes.txt\n  nothing in it names a database that DevDB recognizes');
  });

  it.each(['../outside/x', '/etc/passwd', '..', 'missing.txt'])(
    'explains nothing outside the project, nor what is missing: %s',
    async (path) => {
      project.write('../outside/x', 'DATABASE_URL=x');
      await expect(explained(path)).rejects.toThrow(/^--explain PATH: /);
    },
  );

  it('shows no control characters of a stranger', async () => {
    project.write('.env', 'DATABASE_URL=postgres://u:p@localhost/\u001b[31mred\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape itself must not be there.
    expect(await explained('.env')).not.toMatch(/\u001b/);
  });
});

describe('the suggestion', () => {
  const suggestion = async (): Promise<string | undefined> =>
    suggestionFrom((await project.book().state(signal)).skipped)?.line;

  it('is a valid .devdbrc built from what was understood, without a password', async () => {
    project.write(
      'compose.yml',
      'services:\n  db:\n    image: postgres\n    environment: {POSTGRES_PASSWORD: hush, POSTGRES_DB: shop}\n',
    );
    const line = (await suggestion()) ?? '';
    expect(line).toBe('[{"type":"postgres","host":"127.0.0.1","port":5432,"username":"postgres","database":"shop"}]');
    expect(readDevdbrc(line).problems).toEqual([]);
    project.write('.devdbrc', line);
    const [first] = (await project.book().state(signal)).entries;
    expect(first?.shown).toBe('127.0.0.1:5432/shop');
  });

  it('keeps the fields of settings that could be read', async () => {
    const entry =
      "{'ENGINE': 'django.db.backends.mysql', 'NAME': 'shop', 'HOST': 'localhost', 'USER': 'u', 'PASSWORD': load()}";
    project.write('manage.py', "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings')\n");
    project.write('app/settings.py', `DATABASES = {'default': ${entry}}\n`);
    expect(await suggestion()).toBe('[{"type":"mysql","host":"localhost","username":"u","database":"shop"}]');
  });

  it('is absent where nothing was half understood', async () => {
    expect(await suggestion()).toBeUndefined();
  });
});
