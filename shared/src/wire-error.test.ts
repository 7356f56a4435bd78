import { fromWire } from './wire-error.ts';

const wire = (details: unknown) => ({ code: 'E_SQL', message: 'It failed.', retryable: false, details });

describe('fromWire', () => {
  test('keeps what an engine calls an error, and the fields of tools', () => {
    const details = { engineCode: '208', errno: 208, sqlState: '42S02', position: 3, near: ['orders'], refused: true };
    expect(fromWire(wire(details)).details).toEqual(details);
  });

  test('drops a field of another type than ours, and keeps the error', () => {
    const error = fromWire(wire({ engineCode: 208, errno: '208', near: 'orders', mayHaveBeenCarriedOut: false }));
    expect(error.code).toBe('E_SQL');
    expect(JSON.parse(JSON.stringify(error.details))).toEqual({ mayHaveBeenCarriedOut: false });
  });
});
