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

  it('says line by line what was read from a file, without any value', async () => {
    project.write(
      '.env',
      'SECRET_KEY=hush-1\nDATABASE_URL=postgres://u:hush-2@localhost/d\nMYSQL_URL=mysql://u:$' + '{NOPE}@localhost/x\n',
    );
    const text = await explained('.env');
    expect(text.split('\n')).toEqual([
      '.env',
      '  line 1: sets SECRET_KEY',
      '  line 2: sets DATABASE_URL',
      '  line 2: env:DATABASE_URL (default): postgres localhost:5432/d, by database-url',
      '  line 3: sets MYSQL_URL',
      '  line 3: left out: MYSQL_URL refers to NOPE, which the .env files do not set',
    ]);
    expect(text).not.toContain('hush');
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
