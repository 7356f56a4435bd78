import { AppError } from '@devdb/shared/errors';
import { OwnBreakpoints } from './own-breakpoints.ts';

interface Breakpoint {
  condition?: string;
}

function codeOf(remove: () => void): string {
  try {
    remove();
    return 'removed';
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.message}` : String(error);
  }
}

test("breakpoints that tools set may be removed, the user's need a yes", () => {
  const own = new OwnBreakpoints<Breakpoint>();
  const [ours, theirs, more]: Breakpoint[] = [{}, {}, { condition: 'i > 1' }];
  own.add(ours ?? {});
  const all = [ours, theirs, more].filter((one) => one !== undefined);
  expect(codeOf(() => own.mayRemove(all.slice(0, 1), { approved: false }))).toBe('removed');
  expect(codeOf(() => own.mayRemove(all, { approved: false }))).toBe(
    'E_CONFIRMATION_REQUIRED 2 of the breakpoints were set by the user.',
  );
  expect(codeOf(() => own.mayRemove(all, { approved: true }))).toBe('removed');
  expect(codeOf(() => own.mayRemove([], { approved: false }))).toBe('removed');
});

test('one that the user has written into since it was set is the user’s', () => {
  const own = new OwnBreakpoints<Breakpoint>();
  const breakpoint: Breakpoint = { condition: 'i > 1' };
  own.add(breakpoint);
  breakpoint.condition = 'i > 2';
  expect(codeOf(() => own.mayRemove([breakpoint], { approved: false }))).toMatch(/^E_CONFIRMATION_REQUIRED/);
  breakpoint.condition = 'i > 1';
  expect(codeOf(() => own.mayRemove([breakpoint], { approved: false }))).toBe('removed');
});
