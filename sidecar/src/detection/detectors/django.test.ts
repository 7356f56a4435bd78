// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { django } from './django.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(django, project);
}

const manage = { 'manage.py': "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings')\n" };

function settings(text: string): Record<string, string> {
  return { ...manage, 'app/settings.py': text };
}

function databases(entry: string): Record<string, string> {
  return settings(`import os\nDATABASES = {'default': ${entry}}\n`);
}

it('reads settings packages, environment idioms, paths and later changes', async () => {
  expect(await reportWith({}, 'django')).toEqual({
    found: [
      'django:default postgres shop:a"b@127.0.0.1:54320/shop_local{"sslmode":"prefer"} shop/settings/base.py:22',
      'django:files sqlite db.sqlite3 shop/settings/base.py:32',
      'django:warehouse mysql2 root:@127.0.0.1:33061/warehouse shop/settings/base.py:36',
    ],
    skipped: [
      'shop/settings/local.py:12 DATABASES is set again inside a condition, which DevDB does not evaluate',
      'shop/settings/base.py:37 search: refers to SEARCH_URL, which the .env files do not set',
    ],
  });
});

describe("an ENGINE that is a package of the project's", () => {
  const entry = "{'ENGINE': 'app.slow_backend', 'NAME': 'shop.db', 'HOST': 'localhost'}";
  const base = (text: string): Record<string, string> => ({ ...databases(entry), 'app/slow_backend/base.py': text });

  it.each([
    ['from django.db.backends.sqlite3.base import DatabaseWrapper as Own\n', 'sqlite shop.db'],
    ['import django.db.backends.postgresql.base as own\n', 'postgres :@localhost:5432/shop.db'],
    [
      'try:\n    from django.db.backends.mysql.base import (\n        DatabaseWrapper)\nexcept ImportError:\n    raise\n',
      'mysql2 :@localhost:3306/shop.db',
    ],
  ])('stands for the one that it builds on: %j', async (text, where) => {
    expect(await reportWith(base(text))).toEqual({ found: [`django:default ${where} app/settings.py:2`], skipped: [] });
  });

  it.each([
    'from django.db.backends.base.base import BaseDatabaseWrapper\n',
    'from django.db.backends.sqlite3.base import A\nfrom django.db.backends.mysql.base import B\n',
    '# from django.db.backends.sqlite3.base import A\n',
  ])('is unknown where it builds on none, or on several: %j', async (text) => {
    expect((await reportWith(base(text))).skipped).toEqual([
      'app/settings.py:2 default: DevDB does not support its ENGINE',
    ]);
  });
});

it('recognizes production settings when the project starts with them', async () => {
  const env = 'DJANGO_SETTINGS_MODULE=shop.settings.production\nDATABASE_URL=postgres://u:p@127.0.0.1/d\n';
  expect((await reportWith({ '.env': env }, 'django')).found).toEqual([
    'django:default postgres u:p@127.0.0.1:5432/d shop/settings/production.py:3 [production]',
  ]);
});

it.each([
  [
    "{'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data', 'a.sqlite3')}",
    'sqlite data/a.sqlite3',
  ],
  [
    '{"ENGINE": "django.contrib.gis.db.backends.postgis", "NAME": "d", "HOST": "/var/run/postgresql"}',
    'postgres :@/var/run/postgresql:5432/d',
  ],
  ["dict(ENGINE='x')", undefined],
  ["dj_database_url.parse('mysql://u:p@127.0.0.1/d', conn_max_age=600)", 'mysql2 u:p@127.0.0.1:3306/d'],
  ["dj_database_url.config(default='sqlite:///' + os.path.join('x', 'y.db'))", 'sqlite x/y.db'],
  ["dj_database_url.config(default='sqlite:///db.sqlite3')", 'sqlite db.sqlite3'],
  ["env.db_url('URL')", 'postgres u:p@localhost:5432/d'],
  ["{**env.db('URL'), 'ATOMIC_REQUESTS': True}", 'postgres u:p@localhost:5432/d'],
  ["{**env.db('URL'), 'HOST': 'x'}", undefined],
  [
    '{"ENGINE": "mssql", "NAME": "d", "HOST": "localhost", "PORT": "1433", "USER": "sa", "PASSWORD": r"a\\b"}',
    'mssql sa:a\\b@localhost:1433/d',
  ],
])('reads %s', async (entry, found) => {
  const report = await reportWith({ ...databases(entry), '.env': 'URL=postgres://u:p@localhost/d' });
  expect(report.found).toEqual(found === undefined ? [] : [`django:default ${found} app/settings.py:2`]);
  expect(report.skipped).toHaveLength(found === undefined ? 1 : 0);
});

it.each([
  'here = lambda x: os.path.join(os.path.dirname(os.path.realpath(__file__)), x)',
  'here = lambda *parts: os.path.join(os.path.dirname(__file__), *parts)',
  'def here(*parts):\n    "Beside this file."\n    return os.path.join(\n        os.path.dirname(__file__), *parts)',
  'from os import path\nHERE = path.dirname(path.abspath(__file__))\nhere = lambda name: path.join(HERE, name)',
])("calls the settings' own function for a path: %j", async (line) => {
  const entry = "{'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.environ.get('NAME', here('a.db'))}";
  const { found } = await reportWith(settings(`import os\n${line}\nDATABASES = {'default': ${entry}}\n`));
  expect(found).toEqual([expect.stringMatching(/^django:default sqlite app\/a\.db /)]);
});

it('lets a URL in the environment replace the written value only where it is set', async () => {
  const text =
    "import dj_database_url\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'a.db'}}\nDATABASES['default'].update(dj_database_url.config())\n";
  expect((await reportWith(settings(text))).found).toEqual(['django:default sqlite a.db app/settings.py:2']);
  project.remove();
  const required = text.replace('dj_database_url.config()', 'env.db()');
  expect((await reportWith(settings(required))).found).toEqual([]);
  project.remove();
  const env = { '.env': 'DATABASE_URL=postgres://u:p@localhost/d' };
  expect((await reportWith({ ...settings(text), ...env })).found).toEqual([
    'django:default postgres u:p@localhost:5432/d app/settings.py:2',
  ]);
});

it.each([
  [
    databases("{'ENGINE': 'django.db.backends.postgresql', 'NAME': os.environ['NOPE']}"),
    'app/settings.py:2 default: NAME refers to NOPE, which the .env files do not set',
  ],
  [
    databases("{'ENGINE': 'django.db.backends.postgresql', 'NAME': 'a' if DEBUG else 'b'}"),
    'app/settings.py:2 default: NAME is computed and cannot be determined without running code',
  ],
  [
    databases("{'ENGINE': 'django.db.backends.oracle', 'NAME': 'd'}"),
    'app/settings.py:2 default: DevDB does not support its ENGINE',
  ],
  [
    databases("{'ENGINE': 'django.db.backends.mysql', 'OPTIONS': {'read_default_file': '/etc/my.cnf'}}"),
    'app/settings.py:2 default: read_default_file points to another file for its settings',
  ],
  [databases('get_database()'), 'app/settings.py:2 default: is computed and cannot be determined without running code'],
  [databases('{}'), 'app/settings.py:2 default: the ENGINE is missing or computed'],
  [
    settings('DATABASES = load("x")\n'),
    'app/settings.py:1 DATABASES is computed and cannot be determined without running code',
  ],
  [
    settings('if DEBUG:\n    DATABASES = {"default": {}}\n'),
    'app/settings.py:2 DATABASES is set inside a condition, which cannot be evaluated without running code',
  ],
  [
    settings('X = """never closed\n'),
    'app/settings.py:1 cannot be parsed from here: a string or comment is not closed',
  ],
  [manage, 'manage.py: uses the settings app.settings, which do not exist'],
  [{ 'manage.py': 'import django\n' }, 'manage.py: names no settings module (DJANGO_SETTINGS_MODULE)'],
])('leaves %j out with a reason', async (files, reason) => {
  const { found, skipped } = await reportWith(files);
  expect(found).toEqual([]);
  expect(skipped[0]).toBe(reason);
});

const POSTGRES = "{'ENGINE': 'django.db.backends.postgresql', 'NAME': 'd', 'HOST': 'localhost'}";
const SQLITE = "{'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'a.db'}";

describe('a condition on a variable that the files decide', () => {
  it.each([
    [
      `if os.environ.get('DB_NAME'):\n    DATABASES = {'default': ${POSTGRES}}\nelse:\n    DATABASES = {'default': ${SQLITE}}\n`,
    ],
    [
      `if 'DB_NAME' not in os.environ:\n    pass\nDATABASES = {'default': ${POSTGRES} if 'DB_NAME' in os.environ else ${SQLITE}}\n`,
    ],
    [
      `KIND = os.getenv('DB_NAME')\nif KIND == 'other':\n    X = 1\nelif KIND is not None and KIND != 'x':\n    DATABASES = {'default': ${POSTGRES}}\nelse:\n    DATABASES = {'default': ${SQLITE}}\n`,
    ],
    [
      `NAME = ${SQLITE}\nif env.bool('USE_PG', default=False) or os.getenv('DB_NAME') in ('a', 'shop'):\n    NAME = ${POSTGRES}\nDATABASES = {'default': NAME}\n`,
    ],
  ])('chooses the branch: %s', async (text) => {
    const imports = 'import os\n';
    expect((await reportWith({ ...settings(imports + text), '.env': 'DB_NAME=shop\n' })).found).toEqual([
      expect.stringMatching(/^django:default postgres :@localhost:5432\/d /),
    ]);
    project.remove();
    expect((await reportWith(settings(imports + text))).found).toEqual([
      expect.stringMatching(/^django:default sqlite a\.db /),
    ]);
  });

  it('names every branch where only running code would decide, and takes none for the default', async () => {
    const text = `if on_server():\n    DATABASES = {'default': ${POSTGRES}}\nelse:\n    DATABASES = {'default': ${SQLITE}}\n`;
    const { found, skipped } = await reportWith(settings(text));
    expect(found).toEqual([
      'django:default.1 postgres :@localhost:5432/d app/settings.py:2',
      'django:default.2 sqlite a.db app/settings.py:4',
    ]);
    expect(skipped).toEqual([expect.stringContaining('DATABASES is set inside a condition')]);
    const book = project.book({ supported: ['postgres', 'sqlite'] });
    const { connections } = await book.list(AbortSignal.timeout(60_000));
    expect(connections.filter(({ isDefault }) => isDefault)).toEqual([]);
    await expect(book.find(undefined, AbortSignal.timeout(60_000))).rejects.toMatchObject({
      message: expect.stringContaining(
        'a condition in the settings, or how the application is started, decides whether it is used',
      ),
    });
  });

  it('says so where it is computed, and follows no loop or function', async () => {
    for (const head of ['for x in y:', 'def f():', 'try:']) {
      const { found, skipped } = await reportWith(settings(`${head}\n    DATABASES = {'default': ${POSTGRES}}\n`));
      expect(found).toEqual([]);
      expect(skipped).toEqual([
        'app/settings.py:2 DATABASES is set inside a condition, which cannot be evaluated without running code',
      ]);
      project.remove();
    }
    project = new FixtureProject();
  });

  it('is not slow, however many branches there are', async () => {
    const branches = Array.from({ length: 1_000 }, (_one, index) => `elif X == ${index}:\n    Y = ${index}\n`).join('');
    const { found } = await reportWith(settings(`if X:\n    Y = 0\n${branches}DATABASES = {'default': ${SQLITE}}\n`));
    expect(found).toHaveLength(1);
  });
});

it.each([
  [
    "DATABASES = {'default': env.db('URL')}\nDATABASES['default']['ATOMIC_REQUESTS'] = True\nDATABASES['default']['CONN_MAX_AGE'] = 60\n",
  ],
  ["DATABASES = {'default': env.db('NOPE', default='postgres://u:p@localhost/d')}\n"],
  ["MAIN = 'default'\nDATABASES = {MAIN: env.db('URL')}\n"],
])('finds the database of %j', async (text) => {
  const { found } = await reportWith({ ...settings(text), '.env': 'URL=postgres://u:p@localhost/d' });
  expect(found).toEqual([expect.stringMatching(/^django:default postgres u:p@localhost:5432\/d /)]);
});

describe('settings in another module', () => {
  const config = { 'app/config.py': `DATABASES = {'default': ${POSTGRES}}\nOTHER = 1\n` };

  it.each([
    'from app.config import DATABASES\n',
    'from .config import (\n    OTHER,\n    DATABASES,\n)\n',
    "import importlib\nconfiguration = importlib.import_module('app.config')\nDATABASES = configuration.DATABASES\n",
    "from importlib import import_module\nc = import_module('app.config')\nDATABASES = getattr(c, 'DATABASES')\n",
  ])('are found: %j', async (text) => {
    const { found } = await reportWith({ ...settings(text), ...config });
    expect(found).toEqual(['django:default postgres :@localhost:5432/d app/config.py:1']);
  });

  it('do not count where only other names are imported', async () => {
    expect((await reportWith({ ...settings('from app.config import OTHER\n'), ...config })).found).toEqual([]);
  });
});

it('takes a manage.py of another framework for none of its own', async () => {
  expect(await reportWith({ 'manage.py': 'from flask_migrate import Migrate\n' })).toEqual({ found: [], skipped: [] });
});

describe('a manage.py that leaves the settings module to a variable', () => {
  const manage = 'from django.core.management import execute_from_command_line\n';
  const served = (module: string): string => `import os\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", ${module})\n`;
  const sqlite = "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'shop.db'}}\n";

  it.each(['wsgi.py', 'asgi.py'])('has the module that %s names', async (script) => {
    const files = { 'manage.py': manage, [`shop/${script}`]: served('"shop.base"'), 'shop/base.py': sqlite };
    expect(await reportWith(files)).toEqual({
      found: ['django:default sqlite shop.db shop/base.py:1'],
      skipped: [],
    });
  });

  it.each([
    { 'shop/settings/base.py': sqlite },
    { 'shop/settings/base.py': sqlite, 'shop/settings/development.py': 'from .base import *\n' },
    { 'shop/settings.py': sqlite, 'shop/urls.py': '' },
    { 'shop/settings/base.py': sqlite, 'shop/settings/production.py': sqlite.replace('shop.db', 'live.db') },
  ])('has the settings of the only package with DATABASES: %j', async (files) => {
    const { found, skipped } = await reportWith({ 'manage.py': manage, ...files });
    expect(found).toEqual([expect.stringMatching(/^django:default sqlite shop\.db /)]);
    expect(skipped).toEqual([]);
  });

  it('has none where two packages have settings, with a sentence', async () => {
    const files = { 'manage.py': manage, 'shop/settings.py': sqlite, 'admin/settings.py': sqlite };
    expect(await reportWith(files)).toEqual({
      found: [],
      skipped: ['manage.py: names no settings module (DJANGO_SETTINGS_MODULE)'],
    });
  });

  it('has none where that is computed, with a sentence', async () => {
    expect(await reportWith({ 'manage.py': manage, 'shop/wsgi.py': served('named()') })).toEqual({
      found: [],
      skipped: ['shop/wsgi.py:2 DJANGO_SETTINGS_MODULE is computed and cannot be determined without running code'],
    });
  });
});

describe('settings that a ConfigParser reads', () => {
  const settings = [
    'import configparser, os',
    'config = configparser.RawConfigParser()',
    "config.read(['/etc/shop/shop.cfg', 'shop.cfg'])",
    "engine = config.get('database', 'backend', fallback='sqlite')",
    "if engine == 'sqlite':",
    "    engine = 'sqlite3'",
    "DATA = config.get('shop', 'data', fallback=os.environ.get('DATA', 'data'))",
    "DATABASES = {'default': {'ENGINE': 'django.db.backends.' + engine,",
    "    'NAME': config.get('database', 'name', fallback=os.path.join(DATA, 'db.sqlite3'))}}",
    '',
  ].join('\n');
  const files = {
    'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n",
    'shop/settings.py': settings,
  };

  it('have their fallbacks where no such file is there', async () => {
    expect(await reportWith(files)).toEqual({
      found: ['django:default sqlite data/db.sqlite3 shop/settings.py:8'],
      skipped: [],
    });
  });

  it('are not guessed where the file is there', async () => {
    const { found, skipped } = await reportWith({ ...files, 'shop.cfg': '[database]\nname=other\n' });
    expect(found).toEqual([]);
    expect(skipped).toEqual(['shop/settings.py:8 default: the ENGINE is missing or computed']);
  });
});

describe('a dictionary that is filled in step by step', () => {
  const text = [
    'import os',
    "if os.getenv('DATABASE_URL'):",
    '    DATABASES = {"default": dj_database_url.config()}',
    'else:',
    "    config = {'ENGINE': os.getenv('DB_ENGINE') or 'django.db.backends.sqlite3', 'NAME': os.getenv('DB_NAME') or 'shop.db'}",
    "    if os.getenv('DB_HOST'):",
    "        config['HOST'] = os.getenv('DB_HOST')",
    "    config['USER'] = 'u'",
    "    DATABASES = {'default': config}",
    '',
  ].join('\n');

  it('has its first values where no variable is set', async () => {
    const { found } = await reportWith(settings(text));
    expect(found).toEqual(['django:default sqlite shop.db app/settings.py:9']);
  });

  it('has what the variables set', async () => {
    const env = 'DB_ENGINE=django.db.backends.postgresql\nDB_NAME=d\nDB_HOST=127.0.0.9\n';
    const { found } = await reportWith({ ...settings(text), '.env': env });
    expect(found).toEqual(['django:default postgres u:@127.0.0.9:5432/d app/settings.py:9']);
  });
});

describe('a configuration module that a function of the project loads', () => {
  const files = {
    ...manage,
    'app/settings.py': [
      'configuration = load_configuration(BASE_DIR)',
      "DATABASE = getattr(configuration, 'DATABASE', None)",
      "DATABASES = getattr(configuration, 'DATABASES', {'default': DATABASE})",
      "if 'ENGINE' not in DATABASES['default']:",
      "    DATABASES['default'].update({'ENGINE': 'django.db.backends.postgresql'})",
      '',
    ].join('\n'),
  };
  const database = "'NAME': 'shop', 'HOST': 'localhost', 'USER': 'u'";

  it('is the one beside the settings, to which an update only adds', async () => {
    const configuration = `DATABASES = {'default': {${database}}}\n`;
    expect(await reportWith({ ...files, 'app/configuration.py': configuration })).toEqual({
      found: ['django:default postgres u:@localhost:5432/shop app/configuration.py:1'],
      skipped: [],
    });
  });

  it('is left to its own engine where an update in a condition would change it', async () => {
    const configuration = `DATABASES = {'default': {'ENGINE': 'django.db.backends.mysql', ${database}}}\n`;
    const { found, skipped } = await reportWith({ ...files, 'app/configuration.py': configuration });
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('default: is computed')]);
  });

  it('is a sentence where there is no such file', async () => {
    const { found, skipped } = await reportWith(files);
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('DATABASES is computed')]);
  });
});

it("takes no option's name for its value where a ConfigParser without a fallback is asked", async () => {
  const entry =
    "{'ENGINE': 'django.db.backends.postgresql', 'NAME': config.get('database', 'name'), 'HOST': 'localhost'}";
  const { found, skipped } = await reportWith(databases(entry));
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringContaining('default: NAME is computed')]);
});

describe('a variable that only a compose service sets', () => {
  const compose = (db: string): Readonly<Record<string, string>> => ({
    'compose.yaml': `services:\n  web:\n    build: .\n    env_file: docker/web.env\n  pg:\n    ${db}\n`,
    'docker/web.env': 'DATABASE_URL=postgres://u:p@pg/shop\n',
  });
  const withDefault = (url: string): Record<string, string> =>
    settings(`import dj_database_url\nDATABASES = {'default': dj_database_url.config(default='${url}')}\n`);
  const inContainer = ['django:default postgres u:p@pg:5432/shop app/settings.py:2'];

  it('counts before the fallback where this machine reaches that server', async () => {
    const files = { ...withDefault('postgres:///shop'), ...compose('image: postgres\n    ports: ["5433:5432"]') };
    expect((await reportWith(files)).found).toEqual(inContainer);
  });

  it('counts before a fallback of another engine', async () => {
    const files = { ...withDefault('mysql://root@localhost/shop'), ...compose('image: postgres:17') };
    expect((await reportWith(files)).found).toEqual(inContainer);
  });

  it('leaves the fallback of the same engine to a program that runs outside the container', async () => {
    const files = { ...withDefault('postgres:///shop'), ...compose('image: postgres') };
    expect((await reportWith(files)).found).toEqual([
      'django:default postgres :@localhost:5432/shop app/settings.py:2',
    ]);
  });

  it('leaves the fallback to a database file', async () => {
    const files = { ...withDefault('sqlite:///shop.sqlite3'), ...compose('image: postgres') };
    expect((await reportWith(files)).found).toEqual(['django:default sqlite shop.sqlite3 app/settings.py:2']);
  });
});

it('takes the fallback of an engine for no default where compose sets its variable from one that is unset', async () => {
  const engine = "os.environ.get('DB_ENGINE', 'django.db.backends.sqlite3')";
  const files = {
    ...settings(`import os\nDATABASES = {'default': {'ENGINE': ${engine}, 'NAME': 'a.sqlite3'}}\n`),
    'compose.yaml': 'services:\n  web: {build: ., environment: {DB_ENGINE: "${DB_ENGINE}"}}\n',
  };
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  const defaults = async () => {
    const { found } = await django.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ kind, neverDefault }) => [kind, neverDefault]);
  };
  expect(await defaults()).toEqual([['sqlite', 'undecided']]);
  project.write('.env', 'DB_ENGINE=django.db.backends.sqlite3\n');
  expect(await defaults()).toEqual([['sqlite', undefined]]);
});

describe('an engine that only the container of the application is given', () => {
  const env = 'SQL_ENGINE=django.db.backends.postgresql\nSQL_NAME=shop\nSQL_HOST=pg\n';
  const entry =
    "{'ENGINE': os.environ.get('SQL_ENGINE', 'django.db.backends.sqlite3'), 'NAME': os.environ.get('SQL_NAME', 'a.sqlite3'), 'HOST': os.environ.get('SQL_HOST', 'localhost')}";
  const compose = (web: string, ports = '["5433:5432"]'): Readonly<Record<string, string>> => ({
    ...databases(entry),
    'docker/web.env': env,
    'compose.yaml': `services:\n  web: {build: ., env_file: docker/web.env, ${web}}\n  pg: {image: postgres, ports: ${ports}}\n`,
  });
  const mounted = 'volumes: ["./:/app", "static:/static"]';
  const ofContainer = ['django:default postgres :@pg:5432/shop app/settings.py:2'];
  const ownFile = ['django:default sqlite a.sqlite3 app/settings.py:2'];

  it.each([mounted, 'volumes: [{type: bind, source: ., target: /app}]'])(
    'counts where the folder is in the container and this machine reaches the server: %s',
    async (volumes) => {
      expect((await reportWith(compose(volumes))).found).toEqual(ofContainer);
    },
  );

  it.each([
    ['the container has a copy of the program', compose('volumes: ["static:/static"]')],
    ['the server publishes no port', compose(mounted, '[]')],
    ['the file of the fallback is there', { ...compose(mounted), 'a.sqlite3': '' }],
    ['a .env file names the engine', { ...compose(mounted), '.env': 'SQL_ENGINE=django.db.backends.sqlite3\n' }],
  ])('leaves the fallback where %s', async (_name, files) => {
    expect((await reportWith(files)).found).toEqual(ownFile);
  });
});

describe('settings for production that manage.py names', () => {
  const own = "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'own.db'}}\n";
  const served = "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'served.db'}}\n";
  const prod = {
    'manage.py': "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings.prod')\n",
    'app/settings/prod.py': served,
  };

  it.each(['dev', 'development', 'local'])('are left for those of development beside them: %s', async (name) => {
    expect((await reportWith({ ...prod, [`app/settings/${name}.py`]: own })).found).toEqual([
      `django:default sqlite own.db app/settings/${name}.py:1`,
    ]);
  });

  it.each([{}, { '.env': 'DJANGO_SETTINGS_MODULE=app.settings.prod\n', 'app/settings/dev.py': own }])(
    'are read where no others are or a .env file names them too: %j',
    async (more) => {
      expect((await reportWith({ ...prod, ...more })).found).toEqual([
        expect.stringContaining('django:default sqlite served.db app/settings/prod.py:1'),
      ]);
    },
  );
});
