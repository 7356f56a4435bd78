import * as fc from 'fast-check';
import { KINDS, kindOf } from './kinds.ts';
import { UnreadManifest } from './manifest.ts';
import { modulesOf } from './modules.ts';
import { parseToml } from './toml.ts';

const read = (path: string, text: string) => kindOf(path)?.read(text, path);

test.each([
  [
    'package.json',
    '{"name":"@shop/web","dependencies":{"react":"^19"},"devDependencies":{"jest":"30"},"peerDependencies":{"vue":"3"},"optionalDependencies":{"x":"1"},"workspaces":["a"]}',
    { name: '@shop/web', dependencies: ['react', 'jest', 'vue', 'x'] },
  ],
  [
    'composer.json',
    '{"name":"acme/shop","require":{"php":">=8.2","ext-pdo":"*","laravel/framework":"^12"},"require-dev":{"phpunit/phpunit":"^11"}}',
    { name: 'acme/shop', dependencies: ['laravel/framework', 'phpunit/phpunit'] },
  ],
  [
    'pyproject.toml',
    '[project]\nname = "shop" # the name\ndependencies = [\n  "django>=5", # web\n  \'psycopg[binary]~=3.2; python_version > "3.9"\',\n]\n[project.optional-dependencies]\ntest = ["pytest"]\n[dependency-groups]\ndev = ["ruff", {include-group = "test"}]\n[tool.ruff]\nline-length = 100\n',
    { name: 'shop', dependencies: ['django', 'psycopg', 'pytest', 'ruff'] },
  ],
  [
    'api/pyproject.toml',
    '[tool.poetry]\nname = "api"\n[tool.poetry.dependencies]\npython = "^3.12"\nfastapi = { version = "*", extras = ["all"] }\n[tool.poetry.group.dev.dependencies]\n"black" = "24"\n',
    { name: 'api', dependencies: ['fastapi', 'black'] },
  ],
  [
    'requirements-dev.txt',
    '# tools\n-r requirements.txt\n--hash=x\nDjango==5.0 \\\n    --hash=sha256:aa\nuvicorn[standard]>=0.30 # server\npkg @ https://example.org/pkg.zip\nhttps://example.org/x.whl\n\nzope.interface\n',
    { dependencies: ['Django', 'uvicorn', 'pkg', 'zope.interface'] },
  ],
  [
    'Pipfile',
    '[[source]]\nurl = "https://pypi.org/simple"\n[packages]\nrequests = "*"\n[dev-packages]\npytest = {version = "*"}\n',
    { dependencies: ['requests', 'pytest'] },
  ],
  [
    'setup.cfg',
    '[metadata]\nname = shop\n[options]\ninstall_requires =\n    flask>=3\n    # no\n    sqlalchemy\nzip_safe = true\n[options.extras_require]\ndev = pytest\n',
    { name: 'shop', dependencies: ['flask', 'sqlalchemy', 'pytest'] },
  ],
  [
    'go.mod',
    'module example.org/shop\n\ngo 1.23\n\nrequire github.com/lib/pq v1.10.9\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n\tgolang.org/x/net v0.30.0 // indirect\n)\n\nreplace (\n\texample.org/a v1.0.0 => ../a\n)\n',
    { name: 'example.org/shop', dependencies: ['github.com/lib/pq', 'github.com/gin-gonic/gin'] },
  ],
  [
    'Cargo.toml',
    '[package]\nname = "shop"\nversion = "0.1.0"\n[dependencies]\nserde = { version = "1", features = ["derive"] }\ntokio.workspace = true\n[target.\'cfg(unix)\'.dependencies]\nnix = "0.29"\n[dev-dependencies]\nproptest = "1"\n[[bin]]\nname = "cli"\n',
    { name: 'shop', dependencies: ['serde', 'tokio', 'proptest', 'nix'] },
  ],
  [
    'Cargo.toml',
    '[workspace]\nmembers = ["a", "b"]\n[workspace.dependencies]\nanyhow = "1"\n',
    { dependencies: ['anyhow'], isModule: false },
  ],
  [
    'pom.xml',
    '<?xml version="1.0"?>\n<!-- <artifactId>no</artifactId> -->\n<project xmlns="http://maven.apache.org/POM/4.0.0"><parent><artifactId>parent</artifactId></parent><artifactId>shop</artifactId><dependencyManagement><dependencies><dependency><groupId>m</groupId><artifactId>managed</artifactId></dependency></dependencies></dependencyManagement><dependencies><dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId><exclusions><exclusion><artifactId>x</artifactId></exclusion></exclusions></dependency></dependencies></project>',
    { name: 'shop', dependencies: ['org.postgresql:postgresql'] },
  ],
  [
    'app/build.gradle.kts',
    'plugins { id("java") }\n/* implementation("no:no:1") */\ndependencies {\n    implementation("com.google.guava:guava:33.0")\n    testImplementation(platform("org.junit:junit-bom:5.11"))\n    // api("no:no")\n    api(project(":core"))\n    runtimeOnly group: \'org.h2\', name: \'h2\', version: \'2\'\n}\n',
    { dependencies: ['com.google.guava:guava', 'org.junit:junit-bom', ':core', 'org.h2:h2'] },
  ],
  ['settings.gradle', "rootProject.name = 'shop'\ninclude 'app'\n", { name: 'shop', dependencies: [] }],
  [
    'gradle/libs.versions.toml',
    '[versions]\nguava = "33"\n[libraries]\nguava = { module = "com.google.guava:guava", version.ref = "guava" }\nh2 = { group = "com.h2database", name = "h2" }\nshort = "a:b:1"\n',
    { dependencies: ['com.google.guava:guava', 'com.h2database:h2', 'a:b'], isModule: false },
  ],
  [
    'src/Shop.Api/Shop.Api.csproj',
    '<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n    <PackageReference Include="Npgsql" Version="9.0" />\n    <PackageReference Version=\'1\' Include=\'Dapper\'><PrivateAssets>all</PrivateAssets></PackageReference>\n  </ItemGroup>\n</Project>\n',
    { name: 'Shop.Api', dependencies: ['Npgsql', 'Dapper'] },
  ],
  [
    'packages.config',
    '<packages><package id="NLog" version="5"/></packages>',
    { dependencies: ['NLog'], isModule: false },
  ],
  [
    'Gemfile',
    "source 'https://rubygems.org'\ngem 'rails', '~> 8.0'\n# gem 'no'\ngroup :test do\n  gem \"rspec\"\nend\n",
    { dependencies: ['rails', 'rspec'] },
  ],
  [
    'shop.gemspec',
    "Gem::Specification.new do |s|\n  s.name = 'shop'\n  s.add_dependency 'pg', '~> 1'\n  s.add_development_dependency('rake')\nend\n",
    { name: 'shop', dependencies: ['pg', 'rake'] },
  ],
])('%s gives its name and what it asks for', (path, text, wanted) => {
  expect(JSON.parse(JSON.stringify(read(path, text)))).toEqual(wanted);
});

test.each([
  ['package.json', '{"name":', 'is not valid JSON'],
  ['package.json', '[]', 'is not valid JSON'],
  ['pyproject.toml', '[project]\nname = "x\n', 'is not understood at line'],
  ['Cargo.toml', `a = ${'['.repeat(100)}`, 'is not understood at line 1'],
  ['pom.xml', '<project><a></project>', 'is not valid XML'],
  ['pom.xml', '<a>'.repeat(200), 'is not valid XML'],
  ['pom.xml', 'no xml', 'is not valid XML'],
  ['setup.py', 'import os', 'is a program, which is not run'],
])('%s that is %j is not read, with the reason', (path, text, reason) => {
  expect(() => read(path, text)).toThrow(reason);
});

test('invisible names, and what is not a name, are left out', () => {
  const dependencies = { 'a\u202eb': '1', 'two words': '1', '': '1', ok: '1', [`l${'o'.repeat(300)}ng`]: '1' };
  expect(read('package.json', JSON.stringify({ name: 7, dependencies }))?.dependencies).toEqual(['ok']);
  expect(read('package.json', '{"dependencies":{"__proto__":"1","constructor":"1"}}')?.dependencies).toEqual([
    'constructor',
  ]);
});

test('whatever stands in a manifest, reading it gives names or a reason', () => {
  const piece = fc.constantFrom(
    ...[
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '=',
      ',',
      '.',
      '\n',
      '#',
      ' ',
      'a',
      '<',
      '>',
      '/',
      '<a>',
      '</a>',
      '<!--',
      '"""',
      '\\',
      'gem ',
      'require (',
      ':',
    ],
  );
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.array(piece, { maxLength: 60 }), ({ read: reader }, pieces) => {
      try {
        expect(Array.isArray(reader(pieces.join(''), 'x').dependencies)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadManifest);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('a megabyte made to be slow is read, or refused, at once', () => {
  const million = 1_000_000;
  const slow = [
    '<a '.repeat(million / 3),
    '<!--'.repeat(million / 4),
    `a${'.a'.repeat(million / 2)}=1`,
    '"'.repeat(million),
    ' '.repeat(million),
    'a='.repeat(million / 2),
    '/*'.repeat(million / 2),
    `gem ${' '.repeat(million)}`,
    `<a ${'b="'.repeat(million / 3)}>`,
    '[a]\n'.repeat(million / 4),
  ];
  const started = performance.now();
  for (const text of slow) {
    for (const { read: reader } of KINDS) {
      try {
        reader(text, 'x');
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadManifest);
      }
    }
  }
  // Quadratic time over a megabyte is minutes.
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('TOML strings keep what they hold, and tables of a list come one after the other', () => {
  const table = parseToml('a = "x # y"\nb = """\nl1\nl2"""\n[[p]]\nn = \'1\'\n[[p]]\nn = "2"\n[p.q]\nr = ["z"]\n');
  expect([table.get('a'), table.get('b')]).toEqual(['x # y', 'l1\nl2']);
  expect(table.get('p')).toEqual([
    new Map([['n', '1']]),
    new Map<string, unknown>([
      ['n', '2'],
      ['q', new Map([['r', ['z']]])],
    ]),
  ]);
});

test('manifests of a folder and kind make one module; projects of .NET each their own; a catalogue none', () => {
  const found = (kind: string, path: string, name?: string, dependencies: string[] = []) => ({
    kind,
    path,
    name,
    dependencies,
    folderName: 'folder',
  });
  const modules = modulesOf([
    found('python', 'requirements.txt', undefined, ['b', 'a']),
    found('python', 'pyproject.toml', 'shop', ['a']),
    found('npm', 'package.json'),
    found('dotnet', 'src/A.csproj', 'A'),
    found('dotnet', 'src/B.csproj', 'B'),
    { ...found('gradle', 'gradle/libs.versions.toml'), isModule: false },
  ]);
  expect(modules.map(({ name, manifests, dependencies }) => [name, manifests, dependencies])).toEqual([
    ['shop', ['requirements.txt', 'pyproject.toml'], ['a', 'b']],
    ['folder', ['package.json'], []],
    ['A', ['src/A.csproj'], []],
    ['B', ['src/B.csproj'], []],
  ]);
});
