import { AppError } from '@devdb/shared/errors';
import { ConnectionLost, connectionError, failureOf, isLost, lost } from './errors.ts';

function driverError(facts: { errno?: number; code?: string; message?: string }): Error {
  return Object.assign(
    new Error(facts.message ?? "Access denied for user 'bob'@'10.0.0.7' (using password: YES)"),
    facts,
  );
}

describe('connectionError', () => {
  it.each([
    [{ errno: 1045 }, /refused the user or the password/],
    [{ errno: 1049 }, /no database/],
    [{ errno: 1040 }, /no free connection/],
    [{ errno: -111, code: 'ECONNREFUSED' }, /Nothing accepts connections/],
    [{ code: 'HANDSHAKE_SSL_ERROR' }, /certificate/],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate/],
    [{ code: 'HANDSHAKE_NO_SSL_SUPPORT' }, /does not encrypt/],
    [{ message: 'Server requests authentication using unknown plugin client_ed25519.' }, /plugin client_ed25519/],
    [{ message: 'something new with host 10.0.0.7' }, /^The connection to the server failed\.$/],
  ])('explains %j, without user and host', (facts, sentence) => {
    const error = connectionError(driverError(facts));
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION', message: expect.stringMatching(sentence) });
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toMatch(/bob|10\.0\.0\.7/);
    expect(error.hint).toMatch(/\w/);
  });

  it('finds the cause of a connection lost on the way', () => {
    expect(connectionError(new ConnectionLost(undefined)).message).toMatch(/closed the connection/);
  });
});

describe('isLost', () => {
  it('distinguishes the end of a connection from an error of a statement', () => {
    expect([driverError({ code: 'PROTOCOL_CONNECTION_LOST' }), driverError({ errno: 1053 })].map(isLost)).toEqual([
      true,
      true,
    ]);
    expect([driverError({ errno: 1064 }), new AppError('E_SQL', 'x'), new Error('x')].map(isLost)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('lost', () => {
  it('says that a write may have been executed, and should not be repeated unchecked', () => {
    expect(lost(new ConnectionLost({ message: 'x', errno: 1053 }), 'maybe-committed')).toMatchObject({
      code: 'E_SQL',
      message: expect.stringMatching(/not known/),
      details: { engineCode: '1053', errno: 1053, mayHaveBeenCarriedOut: true },
    });
    expect(lost(new ConnectionLost(undefined), 'read')).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringMatching(/nothing was changed/),
    });
  });
});

describe('failureOf', () => {
  it("reads only the server's numbers", () => {
    expect(failureOf(driverError({ errno: -111, code: 'X' })).errno).toBeUndefined();
    expect(failureOf('text')).toEqual({ errno: undefined, code: undefined, sqlState: undefined, message: 'text' });
  });
});
