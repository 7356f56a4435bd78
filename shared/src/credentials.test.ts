import { isCredentialName, withoutCredentials } from './credentials.ts';

test.each([
  'github.token',
  'devdb.example.apiToken',
  'GITHUB_TOKEN',
  'http.proxyAuthorization',
  'sqltools.password',
  'PGPASSWORD',
  'db.pass',
  'DB_PASS',
  'smtpPass',
  'aws.secretAccessKey',
  'AWS_ACCESS_KEY_ID',
  'openai.api_key',
  'openaiApiKey',
  'registry._auth',
  'ssh.passphrase',
  'Authorization',
  'Cookie',
  'azure.accountKey',
])('%s is the name of a credential', (name) => {
  expect(isCredentialName(name)).toBe(true);
});

test.each([
  'editor.tabSize',
  'editor.semanticTokenColorCustomizations',
  'editor.maxTokenizationLineLength',
  'git.path',
  'terminal.integrated.bypass',
  'testing.compass',
  'files.autoSave',
  'python.analysis.author',
])('%s is not', (name) => {
  expect(isCredentialName(name)).toBe(false);
});

test('a hidden value is removed at any depth and in any form', () => {
  const hidden = 'hunter2-s3cr3t';
  const value = {
    env: { PGPASSWORD: hidden, PATH: '/bin', DATABASE_URL: `postgres://ada:${hidden}@db.example/shop` },
    args: [`--password=${hidden}`, '--verbose', `--api-key ${hidden}`.replace(' ', '=')],
    headers: [
      { name: 'Authorization', value: hidden },
      { key: 'Accept', value: 'text/html' },
    ],
    header: `Authorization: Bearer ${hidden}`,
    list: [[{ token: hidden }]],
    remote: `https://${'ghp_'}${'a'.repeat(36)}@github.example/x.git`,
    odbc: `Server=x;Pwd=${hidden};Database=y`,
    jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'x'.repeat(20)}`,
  };
  const shown = JSON.stringify(withoutCredentials(value));
  expect(shown).not.toContain(hidden);
  expect(shown).not.toMatch(/ghp_|eyJ/);
  expect(withoutCredentials(value)).toMatchObject({
    env: { PATH: '/bin', DATABASE_URL: 'postgres://[secret]@db.example/shop' },
    args: ['--password=[secret]', '--verbose', '--api-key=[secret]'],
    headers: [
      { name: 'Authorization', value: '[secret]' },
      { key: 'Accept', value: 'text/html' },
    ],
    odbc: 'Server=x;Pwd=[secret];Database=y',
  });
});

test.each([[null], [4], [true], ['plain'], [['a', 1]], [{ a: { b: '' } }], ['https://example.org/a@b']])(
  '%j is returned unchanged',
  (value) => {
    expect(withoutCredentials(value)).toEqual(value);
  },
);

test.each([
  ["CREATE USER ada IDENTIFIED BY 'hunter2'", "CREATE USER ada IDENTIFIED BY '[secret]'"],
  ["ALTER ROLE ada ENCRYPTED PASSWORD 'hunter2'", "ALTER ROLE ada ENCRYPTED PASSWORD '[secret]'"],
  ["CREATE LOGIN ada WITH PASSWORD = N'hunter2 it''s'", "CREATE LOGIN ada WITH PASSWORD = N'[secret]'"],
])('the password in %s is hidden', (statement, shown) => {
  expect(withoutCredentials(statement)).toBe(shown);
});
