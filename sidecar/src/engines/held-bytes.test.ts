import fc from 'fast-check';
import { HeldBytes, MessageHold } from './held-bytes.ts';
import { LARGE_MESSAGE_BYTES, MAX_HELD_BYTES, MAX_SERVER_MESSAGE_BYTES } from './limits.ts';

const MIB = 1024 * 1024;

describe('HeldBytes', () => {
  it('has room up to its limit, and again for what was returned', () => {
    const all = new HeldBytes(100);
    expect([all.take(60), all.take(41), all.take(40), all.take(1)]).toEqual([true, false, true, false]);
    all.give(60);
    expect(all.held).toBe(40);
    expect(all.take(60)).toBe(true);
  });

  it('has room for the largest possible message', () => {
    expect(new HeldBytes().take(MAX_SERVER_MESSAGE_BYTES)).toBe(true);
    expect(MAX_HELD_BYTES).toBeGreaterThanOrEqual(MAX_SERVER_MESSAGE_BYTES);
  });
});

describe('MessageHold', () => {
  it('does not count small messages', () => {
    const all = new HeldBytes(0);
    const hold = new MessageHold(all);
    for (let i = 0; i < 1000; i += 1) expect(hold.begin(LARGE_MESSAGE_BYTES)).toBeUndefined();
    expect(all.held).toBe(0);
  });

  it("returns a message's room when the next one begins, and when the connection is gone, once", () => {
    const all = new HeldBytes();
    const hold = new MessageHold(all);
    hold.begin(100 * MIB);
    expect(all.held).toBe(100 * MIB);
    hold.begin(5 * MIB);
    expect(all.held).toBe(5 * MIB);
    hold.begin(10);
    expect(all.held).toBe(0);
    hold.begin(5 * MIB);
    hold.end();
    hold.end();
    expect(all.held).toBe(0);
  });

  it('refuses with a next step what does not fit beside other connections, and accepts it when they are done', () => {
    const all = new HeldBytes();
    const [one, other] = [new MessageHold(all), new MessageHold(all)];
    one.begin(200 * MIB);
    expect(other.begin(100 * MIB)).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('other calls hold large values, 200 of 256 MiB'),
      hint: expect.stringMatching(/^Call again in a moment/),
    });
    other.end();
    one.end();
    expect(other.begin(100 * MIB)).toBeUndefined();
  });

  it('counts a message announced in parts by their sum, even small parts', () => {
    const all = new HeldBytes();
    const hold = new MessageHold(all);
    hold.begin(0);
    for (let i = 0; i < 3; i += 1) hold.more(LARGE_MESSAGE_BYTES / 2);
    expect(all.held).toBe(1.5 * LARGE_MESSAGE_BYTES);
    hold.begin(MAX_SERVER_MESSAGE_BYTES);
    expect(hold.more(1)).toMatchObject({ code: 'E_SQL', message: expect.stringContaining('256 MiB') });
  });

  it('never holds more than the limit in total, and nothing when all are gone', () => {
    const step = fc.record({
      who: fc.nat({ max: 4 }),
      what: fc.constantFrom('begin', 'more', 'end'),
      bytes: fc.nat({ max: 300 * MIB }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = new HeldBytes();
        const holds = Array.from({ length: 5 }, () => new MessageHold(all));
        for (const { who, what, bytes } of steps) {
          const hold = holds[who];
          if (what === 'begin') hold?.begin(bytes);
          else if (what === 'more') hold?.more(bytes);
          else hold?.end();
          expect(all.held).toBeGreaterThanOrEqual(0);
          expect(all.held).toBeLessThanOrEqual(MAX_HELD_BYTES);
        }
        for (const hold of holds) hold.end();
        expect(all.held).toBe(0);
      }),
    );
  });
});
