import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { isInside, locate } from './containment.ts';

const NAME = fc.constantFrom('a', 'b', '..', '.', '...', '..a', 'a..', ' ', 'ü');
const STEPS = fc.array(NAME, { maxLength: 6 });

describe('isInside', () => {
  it('agrees with counting the steps', () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const root = resolve('/work/project');
        const path = resolve(root, ...steps);
        expect(isInside(root, path)).toBe(path === root || path.startsWith(root + sep));
      }),
    );
  });

  it('treats a sibling with the same prefix as outside', () => {
    expect(isInside('/work/project', '/work/project-2/x.db')).toBe(false);
    expect(isInside('/work/project', '/work/project/..x.db')).toBe(true);
    expect(isInside('/', '/x.db')).toBe(true);
  });
});

describe('locate', () => {
  let base: string;

  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-locate-')));
    mkdirSync(join(base, 'in/sub'), { recursive: true });
    mkdirSync(join(base, 'out'));
    writeFileSync(join(base, 'out/x.db'), '');
    symlinkSync('../out/x.db', join(base, 'in/link.db'));
    symlinkSync('../out', join(base, 'in/folder'));
    symlinkSync('../out/later.db', join(base, 'in/dangling.db'));
    symlinkSync('loop.db', join(base, 'in/loop.db'));
  });

  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it.each([
    ['in/sub', 'in/sub', true],
    ['in/link.db', 'out/x.db', true],
    ['in/folder/x.db', 'out/x.db', true],
    ['in/folder/new/deep.db', 'out/new/deep.db', false],
    ['in/dangling.db', 'out/later.db', false],
    ['in/sub/../missing.db', 'in/missing.db', false],
  ])('resolves %s to %s', (path, real, exists) => {
    expect(locate(join(base, path))).toEqual({ file: join(base, real), exists });
  });

  it('ends for a link to itself', () => {
    expect(locate(join(base, 'in/loop.db')).exists).toBe(false);
  });
});
