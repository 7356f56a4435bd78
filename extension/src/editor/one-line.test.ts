import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { asOneLine } from './one-line.ts';

test('a plain line stays as it is, whatever the shell', () => {
  for (const shell of ['bash', 'cmd', undefined])
    expect(asOneLine(' npm test -- "a b" \n', shell)).toBe('npm test -- "a b"');
});

test('in a shell that is not known several lines are refused, and nothing was run', () => {
  for (const command of ['a\nb', 'a\tb'])
    expect(() => asOneLine(command, 'cmd')).toThrow(
      expect.objectContaining({ code: 'E_INVALID_PARAMS', details: { applied: false } }),
    );
  expect(asOneLine('echo hi!', 'cmd')).toBe('echo hi!');
});

test('PowerShell and fish have their own signs', () => {
  expect(asOneLine('echo "$x"\n`y', 'pwsh')).toBe('Invoke-Expression "echo `"`$x`"`n``y"');
  expect(asOneLine("echo 'a'\n\tb\\c", 'fish')).toBe("eval 'echo \\'a\\''\\n''\\t'b\\\\c'");
});

test('bash runs just the text, on one line', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', '!', '!!', "'", '"', '\\', '$', '`', '#', ';', '文', '(', '\\n'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(word, (text) => {
      const command = `printf '%s' '${text.replaceAll("'", "'\\''")}'\n:`;
      const line = asOneLine(command, 'bash');
      expect(line).not.toMatch(/[\n\t]/);
      expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' })).toBe(text);
    }),
    { numRuns: 40 },
  );
});
