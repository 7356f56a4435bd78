import type { ProjectOutcome } from '@devdb/shared/protocol/handshake';
import { menuRows } from './menu.ts';
import { statusText } from './status-text.ts';
import type { WindowState } from './window-state.ts';

const one: ProjectOutcome = { given: '/home/me/shop', root: '/home/me/shop', port: 50_001 };
const two: ProjectOutcome = { given: '/home/me/web', root: '/home/me/web', port: 50_002 };
const lost: ProjectOutcome = { given: '/gone', problem: '/gone does not exist on this machine.' };

function running(projects: readonly ProjectOutcome[], databases: WindowState['databases'] = new Map()): WindowState {
  return { hasFolder: true, sidecar: { kind: 'running', projects }, databases };
}

describe('the status bar', () => {
  test('is empty without an open folder, whatever the sidecar does', () => {
    for (const kind of ['off', 'stopped', 'starting'] as const) {
      expect(statusText({ hasFolder: false, sidecar: { kind }, databases: new Map() })).toBeUndefined();
    }
  });

  test.each([
    ['off', 'DevDB off', 'Devdb.enableMcpServer'],
    ['stopped', 'DevDB stopped', 'stopped in this window'],
    ['starting', '$(loading~spin) DevDB', 'is starting'],
  ] as const)('says that it is %s', (kind, text, tooltip) => {
    const shown = statusText({ hasFolder: true, sidecar: { kind }, databases: new Map() });
    expect(shown?.text).toContain(text);
    expect(shown?.tooltip).toContain(tooltip);
  });

  test('says why it failed', () => {
    const sidecar = { kind: 'failed', reason: 'it ended with code 7' } as const;
    const shown = statusText({ hasFolder: true, sidecar, databases: new Map() });
    expect(shown).toMatchObject({ text: '$(error) DevDB', isFailure: true });
    expect(shown?.tooltip).toContain('it ended with code 7');
  });

  test('shows the port, and the database once it is known', () => {
    expect(statusText(running([one]))?.text).toBe('$(database) DevDB :50001');
    const known = running([one], new Map([['/home/me/shop', { name: 'shop', engine: 'postgres' }]]));
    expect(statusText(known)).toMatchObject({
      text: '$(database) DevDB :50001 shop',
      spoken: 'DevDB, port 50001 shop',
    });
    expect(statusText(known)?.tooltip).toContain('shop on 127.0.0.1:50001: shop (postgres)');
  });

  test('says why there is no database', () => {
    const none = running([one], new Map([['/home/me/shop', { problem: 'No database was found.' }]]));
    expect(statusText(none)?.text).toBe('$(database) DevDB :50001');
    expect(statusText(none)?.tooltip).toContain('No database was found.');
  });

  test('shows the first of several folders and lists all of them', () => {
    const shown = statusText(running([one, two, lost]));
    expect(shown?.text).toBe('$(database) DevDB :50001 +2');
    for (const part of ['shop on 127.0.0.1:50001', 'web on 127.0.0.1:50002', 'gone: /gone does not exist']) {
      expect(shown?.tooltip).toContain(part);
    }
  });

  test('says loudly that a port is open without a token', () => {
    const shown = statusText(running([{ ...one, tokenlessPort: 9960 }, two]));
    expect(shown).toMatchObject({ text: '$(unlock) DevDB :50001 no token :9960 +1', isFailure: true });
    expect(shown?.spoken).toContain('open without a token on port 9960');
    expect(shown?.tooltip).toContain('Every program on this machine may call its editor tools on port 9960');
  });

  test('does not claim to serve when the first folder is not open', () => {
    expect(statusText(running([lost, one]))).toMatchObject({ text: '$(warning) DevDB +1', isFailure: true });
  });

  test('cuts a long name, and shows a name never as an icon', () => {
    const named = (name: string) => statusText(running([one], new Map([['/home/me/shop', { name, engine: 'x' }]])));
    expect(named('x'.repeat(100))?.text).toBe(`$(database) DevDB :50001 ${'x'.repeat(23)}…`);
    expect(named('$(flame)')?.text).not.toContain('$(flame)');
  });
});

describe('the menu', () => {
  const commands = (state: WindowState) => menuRows(state).map(({ command }) => command);

  test('offers everything while the sidecar runs', () => {
    expect(commands(running([one]))).toEqual([
      'devdb.copyServerUrl',
      'devdb.copySetup',
      'devdb.doctor',
      'devdb.addConnection',
      'devdb.restart',
      'devdb.stop',
      'devdb.openSettings',
      'devdb.showLog',
    ]);
  });

  test.each(['off', 'stopped', 'starting'] as const)('offers only what is possible while it is %s', (kind) => {
    const offered = commands({ hasFolder: true, sidecar: { kind }, databases: new Map() });
    expect(offered).toContain('devdb.showLog');
    expect(offered).not.toContain('devdb.copyServerUrl');
    expect(offered.includes('devdb.start')).toBe(kind === 'stopped');
    expect(offered.includes('devdb.stop')).toBe(kind === 'starting');
  });
});
