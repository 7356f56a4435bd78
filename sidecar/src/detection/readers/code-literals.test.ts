// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the programs that are read
import { namedInCode, startsWithSqlite, templatesIn } from './code-literals.ts';

it.each([
  ["path: process.env.DB_PATH || './data/app.db',", './data/app.db'],
  ["const file = process.env.FILE ?? 'app.sqlite';", 'app.sqlite'],
  ['path := os.Getenv("X")\nvar DatabasePath = "app.db"', 'app.db'],
  ['viper.SetDefault("database.path", "data/app.db")', 'data/app.db'],
  ['Connection string `default:"data/app.db"`', 'data/app.db'],
  ['Path string `yaml:"path" conf:"default:./.data/app.db?_pragma=busy_timeout=999&_fk=1"`', './.data/app.db'],
  ['db := flag.String("db", "app.sqlite3", "the file")', 'app.sqlite3'],
  ['#[arg(long, env = "DB", default_value = "data/app.db")]', 'data/app.db'],
  ['let path = env::var("DB").unwrap_or_else(|_| "app.db".into());', 'app.db'],
  ["DB_PATH = os.environ.get('DB_PATH', 'app.db')", 'app.db'],
  ['    db_path: str = "app.db"', 'app.db'],
  ['var text = config["Db"] ?? "Filename=app.db";', 'app.db'],
  ['options.UseSqlite("Data Source=data/app.db;Cache=Shared")', 'data/app.db'],
  ["$file = getenv('DB_FILE') ?: 'data/app.sqlite';", 'data/app.sqlite'],
  ['db, err := sql.Open("sqlite3", "app.db")', 'app.db'],
  ['const (\n\tdefaultSqliteFile string     = "data/app.db"\n)', 'data/app.db'],
  ['const dbFile = "app.db?cache=shared&_journal_mode=WAL&_pragma=busy_timeout(5000)"', 'app.db'],
  ['var text = config.GetConnectionString("Main") ?? "Data Source=.data/app.db";', '.data/app.db'],
  ["const store = new ShopSqliteStore('app.db');", 'app.db'],
  ["const DB_PATH = './.local/state/app.sqlite';", './.local/state/app.sqlite'],
])('reads the file that is the default in %s', (line, path) => {
  expect(namedInCode(line)).toEqual([expect.objectContaining({ dsn: { path } })]);
});

it.each([
  ["const db = new Database(__dirname + '/app.sqlite', { readonly: true });", 'app.sqlite'],
  ["const file = process.env.DB || path.join(__dirname, 'data', 'app.db');", 'data/app.db'],
  ["const dbPath = path.resolve(__dirname, '../app.db');", '../app.db'],
  ['new Database(`${__dirname}/app.db`)', 'app.db'],
])('reads the file beside the program in %s', (line, path) => {
  expect(namedInCode(line)).toEqual([expect.objectContaining({ dsn: { path }, beside: true })]);
});

it.each([
  ['url = os.getenv("DATABASE_URL", "sqlite:///./app.db")', 'sqlite:///./app.db'],
  ['conn, err := db.Connect(ctx, "postgres://u:p@localhost:5432/shop")', 'postgres://u:p@localhost:5432/shop'],
  ['let url = env::var("URL").unwrap_or("sqlite:data.db");', 'sqlite:data.db'],
  ['fn url() -> Url {\n    Url::parse("sqlite:data.db").unwrap()\n}', 'sqlite:data.db'],
  ['let url = std::env::var("URL").unwrap_or(r#"sqlite:data.db"#);', 'sqlite:data.db'],
  ['#[builder(default = r#"DatabaseUrl::from("sqlite:data.db")"#)]', 'sqlite:data.db'],
  ["const url = process.env.URL || 'postgres://u:p@localhost/shop'", 'postgres://u:p@localhost/shop'],
])('reads the URL that is the default in %s', (line, url) => {
  expect(namedInCode(line)).toEqual([expect.objectContaining({ dsn: { url } })]);
});

it.each([
  'dbPath := filepath.Join(dataDir, "app.db")',
  "db_path = DATA_DIR + 'app.db'",
  "define('DB_FILE', DATA_DIR . '/app.sqlite');",
  'DATABASE_URL = f"sqlite:///{DATA_DIR}/app.db"',
  'format!("{}/{}", folder, "app.sqlite3")',
  "const dbPath = path.join(__dirname, folder, 'app.db');",
  'new Store("Sqlite", $"Data Source={Path.Combine(folder, "app.db")}");',
  'const database = `${folder}/app.db`',
])('knows a part of a path that the program puts together: %s', (line) => {
  expect(namedInCode(line.replace('${folder}/app.db', 'postgres://u@${host}/d'))).toEqual([
    expect.objectContaining({ dsn: undefined }),
  ]);
});

it.each([
  "// const db = 'app.db'",
  "# DB_PATH = 'app.db'",
  "ENGINE = 'django.db.backends.sqlite3'",
  "const database = 'test.db'",
  "backup(name, 'old.db')",
  'const db = "https://example.org/app.db"',
  "url = 'postgres://<user>@localhost/d'",
  'const dbFile = "app.db?mode=memory&cache=shared"',
  'const dbFile = "app.db?more"',
  "const DB_PATH = '../../.../app.db';",
])('takes nothing from %s', (line) => {
  expect(namedInCode(line)).toEqual([]);
});

it.each([
  ["const file = 'app.db'", true],
  ['Dialect string `default:"sqlite3"`\nif dialect == "postgres" {', true],
  ["DB_TYPE = env('DB_TYPE', 'mysql')", false],
  ["DB_TYPE = env('DB_TYPE', 'mysql')\nOTHER_TYPE = env('T', 'sqlite')", false],
  ["SQLITE = 'app.db'\nPOSTGRES_HOST = 'localhost'", false],
])('decides whether a program starts with SQLite: %j %s', (text, starts) => {
  expect(startsWithSqlite(text)).toBe(starts);
});

it.each([
  ["static templatePath = './db/app.db';", './db/app.db'],
  ["fs.copyFileSync('seed/app.db', target)", 'seed/app.db'],
  ['shutil.copy("data/empty.sqlite", path)', 'data/empty.sqlite'],
  ['var seedFile = "data/app.db"', 'data/app.db'],
  ['const SAMPLE_DB: &str = "data/app.db";', 'data/app.db'],
])('knows the file that a program copies its own from in %s', (line, path) => {
  expect(templatesIn(line)).toEqual([{ path, line: 1 }]);
  expect(namedInCode(line)).toEqual([]);
});

it.each(["const file = './db/app.db';", "open('app.db')", "// template = 'app.db'", "template = 'page.html'"])(
  'takes %s for no template',
  (line) => {
    expect(templatesIn(line)).toEqual([]);
  },
);
