import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTools } from '@devdb/shared/tools';
import * as z from 'zod';

const manifest = z
  .object({
    engines: z.object({ vscode: z.string() }),
    devDependencies: z.record(z.string(), z.string()),
    extensionKind: z.array(z.string()),
    activationEvents: z.array(z.string()),
    contributes: z.object({
      languageModelTools: z.array(z.object({ name: z.string(), inputSchema: z.object({ type: z.literal('object') }) })),
      configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
    }),
    capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')));

const LOOSENS_SAFETY = [
  'Devdb.database.writes',
  'Devdb.approvals',
  'Devdb.sidecar.nodePath',
  'Devdb.mcpJson.entry',
  'Devdb.mcpJson.inGit',
  'Devdb.http.tokenless',
];

describe("the extension's manifest", () => {
  test('contributes every tool under a name that editors accept, and no others', () => {
    const names = manifest.contributes.languageModelTools.map(({ name }) => name);
    expect(names).toEqual(allTools.map(({ name }) => `devdb_${name}`));
    for (const name of names) expect(name).toMatch(/^(?!copilot_|vscode_)[\w-]+$/);
  });

  test("keeps what loosens safety out of a repository's settings", () => {
    const { properties } = manifest.contributes.configuration;
    for (const setting of LOOSENS_SAFETY) expect(properties[setting]?.scope).toBe('machine');
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    // An untrusted workspace must not choose the served folder either.
    expect(restrictedConfigurations).toEqual([...LOOSENS_SAFETY, 'Devdb.customBasePath']);
  });

  test('runs where the project is, in editors with the API it was checked against', () => {
    expect(manifest.extensionKind).toEqual(['workspace']);
    // 1.101: extensions run on Node 22 and may provide MCP servers.
    expect(manifest.engines.vscode).toBe('^1.101.0');
    expect(manifest.devDependencies['@types/vscode']).toBe('1.101.0');
  });

  test('activates after start-up, so that it causes no delay, and for a link', () => {
    expect(manifest.activationEvents).toEqual(['onStartupFinished', 'onUri']);
  });
});
