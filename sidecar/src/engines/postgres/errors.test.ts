import { AppError } from '@devdb/shared/errors';
import { connectionError, isAboutStatement, lost, statementError } from './errors.ts';

function failure(fields: Record<string, unknown>): Error {
  return Object.assign(new Error(String(fields['message'] ?? 'said')), fields);
}

describe('connectionError', () => {
  it('does not pass on host and password from the driver’s message', () => {
    const error = connectionError(
      failure({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.1.2.3:5432 password=hunter2' }),
    );
    expect([error.message, error.hint, error.details].map(String).join()).not.toMatch(/10\.1\.2\.3|hunter2/);
    expect(error.details).toEqual({ engineCode: 'ECONNREFUSED' });
  });

  it('has a message for an unknown error', () => {
    expect(connectionError(new Error('odd')).message).toMatch(/is not a Postgres server/);
  });
});

describe('lost', () => {
  it('says what may have happened to the statement', () => {
    expect(lost(new Error('gone'), 'read').message).toMatch(/nothing was changed/);
    expect(lost(new Error('gone'), 'uncommitted').details).toMatchObject({ mayHaveBeenCarriedOut: false });
    expect(lost(new Error('gone'), 'maybe-committed')).toMatchObject({
      // E_NO_CONNECTION would tell clients that they may send the call again.
      code: 'E_SQL',
      message: expect.stringContaining('not known'),
      details: { mayHaveBeenCarriedOut: true },
    });
  });
});

describe('statementError', () => {
  it('counts the position from the start of the given statement', () => {
    const error = statementError(
      failure({ code: '42601', position: '22' }),
      'SELEC 1',
      'EXPLAIN (FORMAT JSON) SELEC 1',
    );
    expect(error.details).toMatchObject({ engineCode: '42601' });
    expect(error.details).not.toHaveProperty('position');
    const inside = statementError(
      failure({ code: '42601', position: '23' }),
      'SELEC 1',
      'EXPLAIN (FORMAT JSON) SELEC 1',
    );
    expect(inside.details).toMatchObject({ position: 1 });
  });

  it('distinguishes errors of the statement from those of the connection', () => {
    expect(isAboutStatement(failure({ code: '42601' }))).toBe(true);
    expect(isAboutStatement(failure({ code: '57P01' }))).toBe(false);
    expect(isAboutStatement(failure({ code: 'ECONNRESET' }))).toBe(false);
    expect(isAboutStatement(new AppError('E_SQL', 'ours'))).toBe(false);
  });
});
