import { PassThrough } from 'node:stream';
import { AppError } from '@devdb/shared/errors';
import { readDatabaseUrl } from '@devdb/shared/protocol/connection-methods';
import { Peer } from '@devdb/shared/protocol/peer';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { connectionAnswers } from './database-answers.ts';

/** Both ends of a pipe; the far one has the handlers. */
function pipe(): { near: Peer; far: Peer } {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const end = (input: PassThrough, output: PassThrough) =>
    new Peer({
      reader: new StreamMessageReader(input),
      writer: new StreamMessageWriter(output),
      gone: () => new AppError('E_UNREACHABLE', 'The other end is gone.'),
      onFault: () => undefined,
    });
  const [near, far] = [end(back, there), end(there, back)];
  const none = () => {
    throw new AppError('E_PROJECT_NOT_OPEN', 'There is no project.');
  };
  for (const answer of connectionAnswers({ deskOf: none, keptChanged: none })) answer.offer(far, async () => undefined);
  near.listen();
  far.listen();
  return { near, far };
}

describe('a URL that the user pastes', () => {
  const { near, far } = pipe();
  afterAll(() => {
    near.close();
    far.close();
  });
  const read = (url: string) => near.call(readDatabaseUrl, { url }, { timeoutMs: 10_000 });

  it.each([
    ['sqlite:data/app.db', { ok: true, type: 'sqlite', path: 'data/app.db' }],
    [
      'postgres://ada:p%40ss@db:5433/shop?sslmode=require',
      {
        ok: true,
        type: 'postgres',
        host: 'db',
        port: 5433,
        username: 'ada',
        password: 'p@ss',
        database: 'shop',
        options: { sslmode: 'require' },
      },
    ],
    [
      'mariadb://db/shop',
      { ok: true, type: 'mariadb', host: 'db', port: 3306, username: '', database: 'shop', options: {} },
    ],
    [
      'mysql://db/shop',
      { ok: true, type: 'mysql', host: 'db', port: 3306, username: '', database: 'shop', options: {} },
    ],
  ])('%s is returned in parts', async (url, parts) => {
    await expect(read(url)).resolves.toEqual(parts);
  });

  it('is not quoted in the reason why it cannot be read', async () => {
    const outcome = await read('postgres://ada:geheim@one,two/shop');
    expect(outcome).toEqual({ ok: false, reason: 'names several hosts; DevDB connects to one' });
  });
});
