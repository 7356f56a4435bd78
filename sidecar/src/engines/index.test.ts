import { judgementOf } from '../../test/helpers/statements.ts';
import { HeldBytes } from './held-bytes.ts';
import { engineKinds, openEngine } from './index.ts';

const context = { projectRoot: '/', bundleDir: '/', log: () => undefined, held: new HeldBytes() };

describe('openEngine', () => {
  it('opens a SQLite file without touching it', async () => {
    const session = await openEngine('sqlite', { file: '/no/such/file.db' }, context);
    expect(session.guard.strength).toBe('enforced');
    expect(await judgementOf(session, 'DELETE FROM t')).toMatchObject({ effect: 'write', verb: 'DELETE' });
    await session.end();
  });

  it('refuses a path that no file can have', async () => {
    await expect(openEngine('sqlite', { file: '/a\0b.db' }, context)).rejects.toMatchObject({
      code: 'E_NO_CONNECTION',
    });
  });

  it('knows which kinds this build can open', async () => {
    expect(engineKinds.has('sqlite')).toBe(true);
  });
});
