// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { sqlalchemy } from './sqlalchemy.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(sqlalchemy, project);
}

const python = { 'pyproject.toml': '' };

it('reads each class of settings as the environment that its name means', async () => {
  expect(await reportWith({}, 'sqlalchemy')).toEqual({
    found: [
      'sqlalchemy:shop/config.TestingConfig postgres shop:shop@127.0.0.1:54340/shop_test shop/config.py:12',
      'sqlalchemy:shop/config.ProductionConfig postgres shop:@db.example.com:5432/shop shop/config.py:16 [production]',
      'sqlalchemy:shop/config.DevelopmentConfig postgres shop:s3cret@127.0.0.1:54340/shop_dev shop/config.py:20',
    ],
    skipped: [],
  });
  const { found } = await sqlalchemy.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.toSorted((a, b) => a.priority - b.priority).map(({ name }) => name)).toEqual([
    'shop_dev',
    'shop_test',
    'shop',
  ]);
});

it("takes a variable's value before its default", async () => {
  const { found } = await reportWith({ '.env': 'DEV_URI=mysql+pymysql://u:p@127.0.0.1/other\n' }, 'sqlalchemy');
  expect(found).toContain('sqlalchemy:shop/config.DevelopmentConfig mysql2 u:p@127.0.0.1:3306/other shop/config.py:20');
});

it.each([
  [
    'a path put together from the classes above it',
    'import os\nclass Config(object):\n    HERE = os.path.abspath(os.path.dirname(__file__))\n    ROOT = os.path.join(HERE, os.pardir)\nclass DevConfig(Config):\n    DB_PATH = os.path.join(Config.ROOT, "dev.db")\n    SQLALCHEMY_DATABASE_URI = "sqlite:///{0}".format(DB_PATH)\n',
    'sqlalchemy:app/config.DevConfig sqlite dev.db app/config.py:7',
  ],
  [
    'the package of Flask, and a scheme that the platform chooses',
    'import os, sys\nfrom app import app\nif sys.platform.startswith("win"):\n    prefix = "sqlite:///"\nelse:\n    prefix = "sqlite:////"\nhere = prefix + os.path.join(os.path.dirname(app.root_path), "shop.db")\nSQLALCHEMY_DATABASE_URI = os.getenv("URI", here)\n',
    'sqlalchemy:app/config sqlite shop.db app/config.py:8',
  ],
  [
    'an old scheme that is replaced',
    'import os\nSQLALCHEMY_DATABASE_URI = os.environ.get("X", "").replace("postgres://", "postgresql://") or "sqlite:///" + "shop.db"\n',
    'sqlalchemy:app/config sqlite instance/shop.db app/config.py:2',
  ],
  [
    'a scheme corrected in a condition',
    'DATABASE_URL = "postgres://u@h/sqlalchemy"\nif DATABASE_URL.startswith("postgres://"):\n    DATABASE_URL = DATABASE_URL.replace("postgres://", "postgresql://")\n',
    'sqlalchemy:app/config postgres u:@h:5432/sqlalchemy app/config.py:1',
  ],
  [
    "Flask's configuration in a function",
    'def create_app():\n    app = Flask(__name__)\n    app.config["SQLALCHEMY_DATABASE_URI"] = f"mysql://{USER}@h/d"\n    return app\nUSER = "u"\n',
    'sqlalchemy:app/config mysql2 u:@h:3306/d app/config.py:3',
  ],
  [
    "pydantic's settings with a default",
    'from pydantic_settings import BaseSettings\nimport sqlalchemy\nclass Settings(BaseSettings):\n    database_url: str = "sqlite:///./blog.db"\n',
    'sqlalchemy:app/config.Settings sqlite blog.db app/config.py:4',
  ],
  [
    "a class that gives the module's names to its own",
    'import os, pathlib\nROOT = pathlib.Path(__file__).parent.parent.absolute()\nDATA = os.path.join(ROOT, "data")\nclass Config:\n    ROOT: str = ROOT\n    DATA: str = DATA\n    SQLALCHEMY_DATABASE_URI: str = os.getenv("SHOP_URL", f"sqlite:///{os.path.abspath(os.path.join(DATA, \'shop.db\'))}")\n',
    'sqlalchemy:app/config.Config sqlite data/shop.db app/config.py:7',
  ],
  [
    'a URL under a name that only its value explains',
    'class Config(object):\n    DATABASE = env.str("SHOP", default="postgresql+psycopg2://u:p@localhost/d")\n',
    'sqlalchemy:app/config.Config postgres u:p@localhost:5432/d app/config.py:2',
  ],
  [
    'an engine',
    'engine = create_async_engine("postgresql+asyncpg://u:p@localhost/d", echo=True)\n',
    'sqlalchemy:app/config postgres u:p@localhost:5432/d app/config.py:1',
  ],
])('reads %s', async (_what, text, expected) => {
  expect(await reportWith({ ...python, 'app/config.py': text })).toEqual({ found: [expected], skipped: [] });
});

it.each([
  [
    'SQLALCHEMY_DATABASE_URI = os.environ["NOPE"]\n',
    'app/config: the URL refers to NOPE, which the .env files do not set',
  ],
  [
    'engine = create_engine(str(settings.url))\n',
    'app/config: the URL is computed and cannot be determined without running code',
  ],
  [
    'SQLALCHEMY_DATABASE_URI = "sqlite://"\n',
    'app/config: the URL names an in-memory database, which only its own program can see',
  ],
  ['SQLALCHEMY_DATABASE_URI = ""\n', 'app/config: has no URL'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith({ ...python, 'app/config.py': text })).toEqual({
    found: [],
    skipped: [`app/config.py:1 ${reason}`],
  });
});

it('takes no path, object or URL of another kind under such a name for a database', async () => {
  const text = 'import sqlalchemy\nDATABASE = "shop.sqlite"\nDB = connect()\nPG_DSN = "redis://localhost"\n';
  expect(await reportWith({ ...python, 'config.py': text })).toEqual({ found: [], skipped: [] });
});

it("takes the program's own settings before the URL of its migrations", async () => {
  const files = {
    ...python,
    'config.py': 'class Config:\n    DB_DSN = "postgresql+psycopg2://u:p@localhost/shop"\n',
    'migrations/alembic.ini': '[alembic]\nsqlalchemy.url = postgresql://u:p@localhost/other\n',
  };
  await reportWith(files);
  const { found } = await sqlalchemy.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.toSorted((a, b) => a.priority - b.priority).map(({ name }) => name)).toEqual(['shop', 'other']);
});

it('says that a condition sets the URL, also in a class', async () => {
  const text = 'class Config:\n    if X:\n        SQLALCHEMY_DATABASE_URI = "sqlite:///a.db"\n';
  expect(await reportWith({ ...python, 'config.py': text })).toEqual({
    found: [],
    skipped: ['config.py:3 config: the URL is set in a condition, which cannot be evaluated without running code'],
  });
});

it('takes no URL that only a condition sets', async () => {
  const text =
    'import sqlalchemy\nDATABASE_URL = "sqlite:///a.db"\nif X:\n    DATABASE_URL = "sqlite:///b.db"\nengine = create_engine(DATABASE_URL)\n';
  const { found } = await reportWith({ ...python, 'database.py': text });
  expect(found).toEqual(['sqlalchemy:database sqlite a.db database.py:2']);
});

describe('a value that depends on the platform', () => {
  const isWindows = process.platform === 'win32';
  const config = (test: string): string =>
    `import os, platform, sys\nif ${test}:\n    folder = 'windows'\nelse:\n    folder = 'other'\nclass DevelopmentConfig:\n    SQLALCHEMY_DATABASE_URI = 'sqlite:///' + folder + '/shop.db'\n`;

  it.each([
    "sys.platform.startswith('win')",
    "os.name == 'nt'",
    "platform.system() == 'Windows'",
    "sys.platform == 'win32'",
  ])("is this machine's where %s decides", async (test) => {
    for (const [written, holds] of [
      [test, isWindows],
      [`not ${test}`, !isWindows],
    ] as const) {
      const { found } = await reportWith({ ...python, 'config.py': config(written) });
      const folder = holds ? 'windows' : 'other';
      expect(found).toEqual([`sqlalchemy:config.DevelopmentConfig sqlite instance/${folder}/shop.db config.py:7`]);
      project.remove();
    }
    const named = config('WIN').replace('sys\n', `sys\nWIN = ${test}\n`);
    expect((await reportWith({ ...python, 'config.py': named })).found).toEqual([
      `sqlalchemy:config.DevelopmentConfig sqlite instance/${isWindows ? 'windows' : 'other'}/shop.db config.py:8`,
    ]);
  });

  it('is unknown where something else decides', async () => {
    const { found, skipped } = await reportWith({ ...python, 'config.py': config('sys.flags.debug') });
    expect([found, skipped]).toEqual([[], [expect.stringContaining('is computed')]]);
  });
});

it('reads the URL of alembic.ini, but not the one of its template', async () => {
  const ini = (url: string): string => `[alembic]\nscript_location = x\nsqlalchemy.url = ${url}\n`;
  expect((await reportWith({ 'alembic.ini': ini('postgresql://u:50%%25@h/d') })).found).toEqual([
    'sqlalchemy:alembic postgres u:50%@h:5432/d alembic.ini:3',
  ]);
  project.remove();
  expect(await reportWith({ 'alembic.ini': ini('driver://user:pass@localhost/dbname') })).toEqual({
    found: [],
    skipped: [],
  });
  project.remove();
  expect((await reportWith({ 'alembic.ini': ini('postgresql://%(DB_USER)s@h/d') })).skipped).toEqual([
    'alembic.ini:3 alembic: the URL refers to values that migrations/env.py sets',
  ]);
});

it("finds the settings in the package's main folder", async () => {
  const text = "class DevelopmentConfig:\n    SQLALCHEMY_DATABASE_URI = 'sqlite:///dev.db'\n";
  expect((await reportWith({ ...python, 'app/main/config.py': text })).found).toEqual([
    'sqlalchemy:app/main/config.DevelopmentConfig sqlite instance/dev.db app/main/config.py:2',
  ]);
});

describe('settings without a word of SQLAlchemy', () => {
  const env = `import os
from pathlib import Path
HERE = Path(__file__).resolve().parent
IS_BUILT = os.getenv('IS_BUILT', 'False').lower() == 'true'
DATA = Path(os.getenv('DATA', HERE / 'data')).resolve()
if IS_BUILT:
    DATA = HERE
DATABASE_URL = os.getenv('DATABASE_URL', f'sqlite:///{DATA}/shop.db')
`;

  it.each(['SQLAlchemy==2.0.1\n', 'fastapi\nsqlmodel>=0.0.1\n', 'Flask-SQLAlchemy\n'])(
    "are read where the application's packages have it: %j",
    async (packages) => {
      expect((await reportWith({ 'requirements.txt': packages, 'shop/env.py': env })).found).toEqual([
        'sqlalchemy:shop/env sqlite shop/data/shop.db shop/env.py:8',
      ]);
    },
  );

  it.each([{ 'requirements.txt': 'peewee\n' }, { 'requirements.txt': 'sqlalchemy\n', 'manage.py': '' }])(
    'are left alone otherwise: %j',
    async (files) => {
      expect(await reportWith({ ...files, 'shop/env.py': env })).toEqual({ found: [], skipped: [] });
    },
  );
});

it('reads neither the settings of tests nor those of another framework', async () => {
  const files = {
    ...python,
    'tests/config.py': 'SQLALCHEMY_DATABASE_URI = "sqlite:///t.db"\n',
    'config.py': 'DATABASE_URL = "sqlite:///x.db"\n',
  };
  expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
});

describe('a variable that only a compose service sets', () => {
  const settings = 'import os\nDATABASE_URL = os.environ.get("SHOP_DATABASE_URL", "postgresql:///postgres")\n';
  const compose = (ports: string, url = 'postgresql://u:p@pg/shop'): string =>
    `services:\n  web:\n    build: .\n    environment: {SHOP_DATABASE_URL: "${url}"}\n  pg:\n    image: postgres\n${ports}`;
  const published = '    ports: ["15432:5432"]\n';
  const urls = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await reportWith({ ...python, 'shop/settings.py': `${settings}# sqlalchemy\n`, ...files })).found;

  it('counts before the fallback where this machine reaches that server', async () => {
    expect(await urls({ 'compose.yaml': compose(published) })).toEqual([
      'sqlalchemy:shop/settings postgres u:p@pg:5432/shop shop/settings.py:2',
    ]);
  });

  it('counts before the fallback where the program runs with another engine there', async () => {
    const mysql = `${settings.replace('postgresql:///postgres', 'mysql://root@localhost/shop')}# sqlalchemy\n`;
    const other = { 'compose.yaml': compose(''), 'shop/settings.py': mysql };
    expect(await urls(other)).toEqual(['sqlalchemy:shop/settings postgres u:p@pg:5432/shop shop/settings.py:2']);
  });

  it.each([
    ['the server publishes no port', { 'compose.yaml': compose('') }, 'postgres :@localhost:5432/postgres'],
    [
      'it is a server of another engine',
      { 'compose.yaml': compose(published, 'mysql://u:p@pg:5432/shop') },
      'postgres :@localhost:5432/postgres',
    ],
    ['it is for tests', { 'compose.test.yaml': compose(published) }, 'postgres :@localhost:5432/postgres'],
    [
      'a .env file sets it',
      { '.env': 'SHOP_DATABASE_URL=postgres://u@h/own\n', 'compose.yaml': compose(published) },
      'postgres u:@h:5432/own',
    ],
  ])('does not count where %s', async (_name, files, found) => {
    expect(await urls(files)).toEqual([`sqlalchemy:shop/settings ${found} shop/settings.py:2`]);
  });
});

describe('a variable that a script exports before it starts the program', () => {
  const config = 'import os\nSQLALCHEMY_DATABASE_URI = os.environ.get("DATABASE_URI") or "sqlite:///app.db"\n';
  const start = '#!/bin/bash\nexport DATABASE_URI=postgres://u:p@localhost:5432/shop\nflask run\n';
  const where = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await reportWith({ ...python, 'config.py': config, ...files })).found;
  const own = ['sqlalchemy:config sqlite instance/app.db config.py:2'];

  it('counts before the fallback', async () => {
    const docker = start.replace('u:p@localhost', '${DB_USER}@pg');
    expect(await where({ 'run.sh': docker, 'run_dev.sh': start, 'scripts/init.sh': start })).toEqual([
      'sqlalchemy:config postgres u:p@localhost:5432/shop run_dev.sh:2',
    ]);
  });

  it.each([
    ['two scripts say different ones', { 'a.sh': start, 'b.sh': start.replace('shop', 'other') }],
    ['the script is for tests or production', { 'run-tests.sh': start, 'start.prod.sh': start }],
    ['it names another machine', { 'run.sh': start.replace('localhost', 'db.example.com') }],
    ['it is another variable', { 'run.sh': start.replace('DATABASE_URI', 'OTHER_URI') }],
  ])('does not count where %s', async (_name, files) => {
    expect(await where(files)).toEqual(own);
  });
});

describe('the URL in alembic.ini', () => {
  const ini = '[alembic]\nscript_location = %(here)s/migrations\nsqlalchemy.url = postgresql://u:p@localhost/shop\n';
  const script = (line: string): Readonly<Record<string, string>> => ({
    'alembic.ini': ini,
    'migrations/env.py': line,
  });

  it('counts where the migrations take it', async () => {
    const { found } = await reportWith(script('url = config.get_main_option("sqlalchemy.url")\n'));
    expect(found).toEqual(['sqlalchemy:alembic postgres u:p@localhost:5432/shop alembic.ini:3']);
  });

  it.each([
    'config.set_main_option("sqlalchemy.url", settings.url)\n',
    'section["sqlalchemy.url"] = str(settings.url)\n',
  ])("does not count where the migrations' script sets another one: %s", async (line) => {
    const { found } = await reportWith(script(line));
    expect(found).toEqual([]);
  });
});

it.each(['sqlalchemy_connection_url', 'sqlalchemy_url'])("takes pydantic's field %s for the URL", async (name) => {
  const text = `from pydantic import BaseSettings\nimport sqlalchemy\nclass Settings(BaseSettings):\n    ${name}: str = "sqlite:///./data/chat.db"\n`;
  expect((await reportWith({ ...python, 'backend/settings.py': text })).found).toEqual([
    'sqlalchemy:backend/settings.Settings sqlite data/chat.db backend/settings.py:4',
  ]);
});

it.each([
  ['sqlalchemy==1.4.39\nfastapi==0.79.0\n', 'shop.db'],
  ['sqlalchemy==1.4.39\nFlask-SQLAlchemy==3.0\n', 'instance/shop.db'],
])("keeps a relative file in Flask's instance folder for a program with Flask: %j", async (packages, file) => {
  const text = 'SQLALCHEMY_DATABASE_URL = "sqlite:///./shop.db"\nengine = create_engine(SQLALCHEMY_DATABASE_URL)\n';
  expect((await reportWith({ 'requirements.txt': packages, 'app/db/database.py': text })).found).toEqual([
    `sqlalchemy:app/db/database sqlite ${file} app/db/database.py:1`,
  ]);
});

it.each(['app.py', 'run.py'])('reads a program without a list of packages: %s', async (file) => {
  const text = 'from flask_sqlalchemy import SQLAlchemy\napp.config["SQLALCHEMY_DATABASE_URI"] = "sqlite:///blog.db"\n';
  expect((await reportWith({ [file]: text, 'req.txt': 'Flask-SQLAlchemy\n' })).found).toEqual([
    `sqlalchemy:${file.slice(0, -3)} sqlite instance/blog.db ${file}:2`,
  ]);
});

it("reads a developer's own settings in Flask's instance folder, and nowhere else", async () => {
  const text = "SQLALCHEMY_DATABASE_URI = 'postgresql:///shop'\n";
  const files = { ...python, 'instance/development.py': text, 'shop/development.py': text };
  expect((await reportWith(files)).found).toEqual([
    'sqlalchemy:instance/development postgres :@localhost:5432/shop instance/development.py:1',
  ]);
});

it("takes Alchemical's URL, beside the settings and not in Flask's instance folder", async () => {
  const text =
    "import os\nclass Config:\n    ALCHEMICAL_DATABASE_URL = os.environ.get('DATABASE_URL') or 'sqlite:///db.sqlite'\n";
  expect((await reportWith({ 'requirements.txt': 'alchemical\nflask\n', 'config.py': text })).found).toEqual([
    'sqlalchemy:config.Config sqlite db.sqlite config.py:3',
  ]);
});

it('takes the URL that a script exports in a variable without a fallback, among others in a line', async () => {
  const text = 'import os\nfrom models import db\napp.config["SQLALCHEMY_DATABASE_URI"] = os.environ["DATABASE_URL"]\n';
  const script = 'createdb shop\nexport KEY="a b" && export DATABASE_URL="postgresql://localhost/shop" && export B=1\n';
  expect(await reportWith({ ...python, 'init.py': text, 'setup.sh': script })).toEqual({
    found: ['sqlalchemy:init postgres :@localhost:5432/shop setup.sh:2'],
    skipped: [],
  });
});

describe("another file that the application's container is given than the fallback names", () => {
  const config = "import os\nSQLALCHEMY_DATABASE_URI = os.environ.get('DATABASE_URL', 'sqlite:///app.db')\n";
  const compose = (mount: string, file = '/app/db/shop.db'): string =>
    `services:\n  web:\n    build: .\n    volumes: ["${mount}", "data:/app/db"]\n    environment: {DATABASE_URL: "sqlite:///${file}"}\n`;
  const decided = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
    await reportWith({ ...python, 'config.py': config, ...files });
    const { found } = await sqlalchemy.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ name, neverDefault }) => [name, neverDefault]);
  };

  it('leaves open which one is used where the container has the folder in it', async () => {
    expect(await decided({ 'compose.yaml': compose('.:/app') })).toEqual([['app.db', 'undecided']]);
  });

  it.each([
    ['the container has a copy of the program', { 'compose.yaml': compose('static:/app/static') }],
    ['it is the same file', { 'compose.yaml': compose('.:/app', '/app/data/app.db') }],
    ['the file of the fallback is there', { 'compose.yaml': compose('.:/app'), 'instance/app.db': '' }],
    ['a .env file names one', { 'compose.yaml': compose('.:/app'), '.env': 'DATABASE_URL=sqlite:///app.db\n' }],
  ])('leaves nothing open where %s', async (_what, files) => {
    expect(await decided(files)).toEqual([['app.db', undefined]]);
  });
});
