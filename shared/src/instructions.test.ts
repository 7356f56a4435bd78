import { isErrorCode } from './errors.ts';
import { stdioInstructions, windowInstructions } from './instructions.ts';
import { MAX_INSTRUCTIONS_BYTES } from './limits.ts';
import { findTool } from './tools/index.ts';

const variants = { stdioInstructions, windowInstructions };

describe.each(Object.entries(variants))('%s', (_name, text) => {
  it('is short enough that no client cuts it', () => {
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_INSTRUCTIONS_BYTES);
  });

  it('names only tools that exist', () => {
    const named = text.match(/\b(?:get|run|list|search|explain|export)-[a-z-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => findTool(name) === undefined)).toEqual([]);
  });

  it('names only error codes that exist', () => {
    const named = (text.match(/\bE_[A-Z_]+/g) ?? []).filter((code) => code !== 'E_CODE');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((code) => !isErrorCode(code))).toEqual([]);
  });
});

it('tells about projectRoot as each door needs it', () => {
  expect(stdioInstructions).toContain('Every tool takes projectRoot');
  expect(windowInstructions).toContain('no tool takes a projectRoot');
});
