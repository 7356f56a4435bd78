import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ContractSidecar } from '../../test/helpers/contract-sidecar.ts';
import { TempHome } from '../../test/helpers/temp-home.ts';
import { homeAt } from '../host/home.ts';
import { status } from './status.ts';

let temp: TempHome;
let sidecars: ContractSidecar[];

beforeEach(() => {
  temp = new TempHome();
  sidecars = [];
});

afterEach(async () => {
  for (const sidecar of sidecars) await sidecar.close();
  temp.remove();
});

function run(json: boolean): Promise<string> {
  return status({ home: homeAt(temp.home), json, signal: AbortSignal.timeout(10_000) });
}

async function open(root: string): Promise<ContractSidecar> {
  const sidecar = await ContractSidecar.listen({ root, token: temp.token, version: '1.2.3', answer: () => undefined });
  sidecars.push(sidecar);
  return sidecar;
}

it('says that no project is open and what to do', async () => {
  expect(await run(false)).toMatch(/^No project is open\. .*devdb serve/);
  expect(JSON.parse(await run(true))).toEqual({ home: temp.home, projects: [] });
});

it('shows which sidecars are alive and why another is not', async () => {
  const [alive, gone, other] = [temp.project('alive'), temp.project('gone'), temp.project('other')];
  const sidecar = await open(alive);
  const closed = await open(gone);
  await closed.close();
  sidecars = [sidecar];
  temp.register({ [alive]: sidecar.port, [gone]: closed.port, [other]: sidecar.port });
  const { projects } = JSON.parse(await run(true));
  expect(projects).toEqual([
    { projectRoot: alive, port: sidecar.port, alive: true, version: '1.2.3', pid: 4711, kind: 'headless' },
    { projectRoot: gone, port: closed.port, alive: false, problem: 'Nothing responds on the port.' },
    { projectRoot: other, port: sidecar.port, alive: false, problem: 'Another project has this port now.' },
  ]);
  const text = await run(false);
  expect(text).toMatch(/^PROJECT +PORT +ALIVE +PID +VERSION +KIND\n/);
  expect(text).toMatch(new RegExp(`${alive} +${sidecar.port} +yes +4711 +1\\.2\\.3 +headless`));
  expect(text).toContain(`${gone}: Nothing responds on the port.`);
});

it("does not let a folder's name control the terminal", async () => {
  const root = temp.project('two\nlines \u001b[31mred');
  temp.register({ [root]: (await open(root)).port });
  const text = await run(false);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).not.toContain('\u001b');
});

it('does not wait for a listener that accepts and says nothing', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  temp.register({ [temp.project('a')]: typeof address === 'object' && address !== null ? address.port : 0 });
  expect(JSON.parse(await run(true)).projects).toMatchObject([
    { alive: false, problem: 'It does not respond in time.' },
  ]);
  silent.closeAllConnections();
  silent.close();
});

it('reports a registry that cannot be read', async () => {
  writeFileSync(join(temp.home, 'mcp.json'), '[]');
  await expect(run(false)).rejects.toThrow(/mcp\.json is not a JSON object of ports/);
});
