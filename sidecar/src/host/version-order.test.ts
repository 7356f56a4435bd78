import { compareVersions } from './version-order.ts';

test('versions are ordered as semantic versions are', () => {
  const ordered = [
    '0.0.0-source',
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.2.0',
    '1.10.0',
  ];
  for (const [at, one] of ordered.entries()) {
    for (const [otherAt, other] of ordered.entries()) {
      expect([one, other, Math.sign(compareVersions(one, other))]).toEqual([one, other, Math.sign(at - otherAt)]);
    }
  }
});

test('the build number is ignored', () => {
  expect(compareVersions('1.0.0+1', '1.0.0+2')).toBe(0);
});
