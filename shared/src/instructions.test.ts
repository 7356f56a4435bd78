import { isErrorCode } from './errors.ts';
import { instructionsFor } from './instructions.ts';
import { MAX_INSTRUCTIONS_BYTES } from './limits.ts';
import { findTool } from './tools/index.ts';
import { TOOLSETS } from './tools/toolsets.ts';

describe.each(['stdio', 'window'] as const)('the instructions over %s, with every toolset on', (where) => {
  const text = instructionsFor(where, TOOLSETS);

  it('are short enough that no client cuts them', () => {
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_INSTRUCTIONS_BYTES);
  });

  it('name only tools that exist', () => {
    const named = text.match(/\b(?:get|run|list|search|explain|export)-[a-z-]+|\b(?:get|set|rename)_[a-z_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => findTool(name) === undefined)).toEqual([]);
  });

  it('name only error codes that exist', () => {
    const named = (text.match(/\bE_[A-Z_]+/g) ?? []).filter((code) => code !== 'E_CODE');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((code) => !isErrorCode(code))).toEqual([]);
  });
});

it('mention projectRoot as each door needs it', () => {
  expect(instructionsFor('stdio', TOOLSETS)).toContain('Every tool takes projectRoot');
  expect(instructionsFor('window', TOOLSETS)).toContain('no tool takes a projectRoot');
});

it('mention no toolset that is off', () => {
  const text = instructionsFor('stdio', ['refactor']);
  expect(text).toContain('Toolsets that are on: refactor.');
  expect(text).not.toMatch(/run-query|E_SQL/);
});
