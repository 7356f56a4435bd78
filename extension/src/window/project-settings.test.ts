import { projectSettingsSchema } from '@devdb/shared/protocol/handshake';
import * as fc from 'fast-check';
import { portProblem, projectSettingsOf } from './project-settings.ts';

const NAMES = [
  'database.writes',
  'http.port',
  'mcp.toolsets',
  'mcp.disabledTools',
  'mcpJson.entry',
  'mcpJson.inGit',
  'portStart',
  'portEnd',
] as const;

const anything = fc.oneof(fc.jsonValue(), fc.constant(undefined));

function settingsOf(values: Readonly<Record<string, unknown>>, trusted = true) {
  return projectSettingsOf((name) => values[name], trusted);
}

test('without settings the cautious defaults apply', () => {
  expect(settingsOf({}, false)).toEqual({
    writes: 'ask',
    approvals: 'ask',
    tokenless: 'off',
    trusted: false,
    toolsets: ['database', 'refactor', 'code', 'debug'],
    disabledTools: [],
    mcpJson: { entry: 'stdio', inGit: false },
  });
});

test('valid settings are used unchanged', () => {
  const values = {
    'database.writes': 'deny',
    'http.port': 51_000,
    'mcp.toolsets': ['database'],
    'mcp.disabledTools': ['run-query'],
    'mcpJson.entry': 'http',
    'mcpJson.inGit': true,
    approvals: 'always',
  };
  expect(settingsOf({ ...values, 'http.tokenless': 'read' })).toEqual({
    writes: 'deny',
    tokenless: 'read',
    approvals: 'always',
    trusted: true,
    toolsets: ['database'],
    disabledTools: ['run-query'],
    mcpJson: { entry: 'http', inGit: true },
    fixedPort: 51_000,
  });
});

test.each([
  [9_970, 9_972, { first: 9_970, last: 9_972 }],
  [9_970, 9_970, { first: 9_970, last: 9_970 }],
  [9_972, 9_970, undefined],
  [0, 9_970, undefined],
  [9_970, '9972', undefined],
  [9_970, 70_000, undefined],
])('the ports from %p to %p are %p', (portStart, portEnd, range) => {
  expect(settingsOf({ portStart, portEnd }).tokenlessPorts).toEqual(range);
});

test('any settings file gives settings the sidecar accepts, and nothing looser than it says', () => {
  const files = fc.record(Object.fromEntries(NAMES.map((name) => [name, anything])));
  fc.assert(
    fc.property(files, fc.boolean(), (values, trusted) => {
      const settings = settingsOf(values, trusted);
      expect(projectSettingsSchema().safeParse(settings)).toEqual({ success: true, data: settings });
      expect(settings.trusted).toBe(trusted);
      expect(settings.writes === 'allow').toBe(values['database.writes'] === 'allow');
      expect(settings.mcpJson.inGit).toBe(values['mcpJson.inGit'] === true);
    }),
  );
});

test('a port is accepted exactly when it is valid', () => {
  const ports = fc.oneof(fc.integer({ min: -70_000, max: 140_000 }), fc.double(), anything);
  fc.assert(
    fc.property(ports, (port) => {
      const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535;
      expect(settingsOf({ 'http.port': port }).fixedPort).toBe(isPort ? port : undefined);
    }),
  );
});

test('a port is fixed, not set, or reported as invalid', () => {
  const ports = fc.oneof(anything, fc.integer({ min: -2, max: 70_000 }));
  fc.assert(
    fc.property(ports, (value) => {
      const { fixedPort } = settingsOf({ 'http.port': value });
      const problem = portProblem(value);
      const isUnset = value === undefined || value === null;
      expect([isUnset, fixedPort === value && !isUnset, problem !== undefined].filter(Boolean)).toHaveLength(1);
      if (fixedPort !== undefined) expect(fixedPort >= 1 && fixedPort <= 65_535).toBe(true);
    }),
  );
});
