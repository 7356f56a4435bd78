import fc from 'fast-check';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { editedText, jsoncPieces } from '../../../test/helpers/jsonc-documents.ts';
import { isEmptyFrame, jsonEntry, removeJsonEntry, setJsonEntry } from './jsonc-edit.ts';

const ENTRY = { command: 'node', args: ['/a b'] };

function set(text: string): string {
  return editedText(setJsonEntry(text, 'mcpServers', 'devdb', ENTRY));
}

describe('setJsonEntry', () => {
  it.each(['', '  \n'])('makes a whole file from %j', (text) => {
    expect(JSON.parse(set(text))).toEqual({ mcpServers: { devdb: ENTRY } });
  });

  it('adds to the others and keeps comments, spaces and a trailing comma in place', () => {
    const text = '// mine\n{\n\t"mcpServers": {\n\t\t"a": { "x" : 1 }, // keep\n\t},\n\t/* end */\n}\n';
    expect(set(text)).toBe(
      '// mine\n{\n\t"mcpServers": {\n\t\t"a": { "x" : 1 }, // keep\n\t\t"devdb": {\n\t\t\t"command": "node",\n\t\t\t"args": [\n\t\t\t\t"/a b"\n\t\t\t]\n\t\t},\n\t},\n\t/* end */\n}\n',
    );
  });

  it('keeps a comment on the line of its value', () => {
    const text = '{\n  "mcpServers": {\n    "a": 1 // about a\n  }\n}';
    expect(set(text)).toContain('"a": 1, // about a\n    "devdb": {');
  });

  it('keeps Windows line breaks and a byte order mark', () => {
    const text = '\ufeff{\r\n  "mcpServers": {\r\n    "a": 1\r\n  }\r\n}\r\n';
    const after = set(text);
    expect(after.startsWith('\ufeff{\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('replaces its own entry in place and accepts one that is right', () => {
    const text = '{ "mcpServers": { "devdb": { "command": "old" }, "z": 1 } }';
    const after = set(text);
    expect(JSON.parse(after)).toEqual({ mcpServers: { devdb: ENTRY, z: 1 } });
    expect(set(after)).toBe(after);
  });

  it('fills an empty group and keeps the comments in it', () => {
    expect(JSON.parse(set('{"mcpServers": {}}'))).toEqual({ mcpServers: { devdb: ENTRY } });
    expect(set('{"mcpServers": {\n  // none yet\n}}')).toContain('// none yet');
  });

  it.each([
    ['{\n  "a": 1,\n  b\n}', 3],
    ['{ "a": 1 } x', 1],
    ['{\n"mcpServers": []\n}', 2],
    ['[1]', 1],
    ['{', 1],
  ])('refuses %j and names line %d', (text, line) => {
    expect(setJsonEntry(text, 'mcpServers', 'devdb', ENTRY)).toMatchObject({ ok: false, line });
  });

  it('changes nothing but its own entry, whatever else the file holds', () => {
    const other = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(other, other, fc.constantFrom(undefined, 1, 2, '\t'), (root, servers, indent) => {
        // JSON.parse and an object literal treat a repeated __proto__ differently; no real file has one.
        fc.pre(!JSON.stringify([root, servers]).includes('__proto__'));
        const text = JSON.stringify({ ...root, mcpServers: servers }, null, indent);
        const after = set(text);
        const before = JSON.parse(text);
        expect(JSON.parse(after)).toEqual({ ...before, mcpServers: { ...before.mcpServers, devdb: ENTRY } });
        expect(set(after)).toBe(after);
      }),
    );
  });

  it('answers any text with an edit or a line, and finds again what it wrote', () => {
    fc.assert(
      fc.property(jsoncPieces, (text) => {
        const edit = setJsonEntry(text, 'mcpServers', 'devdb', ENTRY);
        if (edit.ok) expect(jsonEntry(edit.text, 'mcpServers', 'devdb')).toEqual(ENTRY);
        else expect(edit.line).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('removeJsonEntry', () => {
  const remove = (text: string) => removeJsonEntry(text, 'mcpServers', 'devdb');

  it.each([
    ['{"mcpServers":{"devdb":{},"b":1}}', '{"mcpServers":{"b":1}}'],
    ['{"mcpServers":{"a":1,"devdb":{}}}', '{"mcpServers":{"a":1}}'],
    ['{ "mcpServers": { "a": 1, "devdb": {}, "b": 2 } }', '{ "mcpServers": { "a": 1, "b": 2 } }'],
    ['{ "mcpServers": { "devdb": {} } }', '{ "mcpServers": {} }'],
    [
      '{"mcpServers": {\n  "a": 1, // about a\n  "devdb": {} // about it\n}}',
      '{"mcpServers": {\n  "a": 1 // about a\n  // about it\n}}',
    ],
    ['{"mcpServers": {\n  "a": 1, // a\n  "devdb": {} }}', '{"mcpServers": {\n  "a": 1 // a\n  }}'],
    ['{"mcpServers": {\n  // none but\n  "devdb": {},\n}}', '{"mcpServers": {\n  // none but\n}}'],
    ['{"mcpServers": {"devdb": {}}, "mcpServers": {"a": 1}}', '{"mcpServers": {"devdb": {}}, "mcpServers": {"a": 1}}'],
    ['', ''],
  ])('turns %j into %j', (text, after) => {
    expect(remove(text)).toEqual({ ok: true, text: after });
    expect(jsonEntry(after, 'mcpServers', 'devdb')).toBeUndefined();
  });

  it('refuses a repeated name', () => {
    expect(remove('{\n"mcpServers": {"devdb": 1, "devdb": 2}}')).toEqual({
      ok: false,
      line: 2,
      reason: '"devdb" occurs more than once',
    });
  });

  it('takes linear time', () => {
    const wide = `{"mcpServers":{${' '.repeat(400_000)}"devdb":1}}`;
    const started = processorMs();
    expect(remove(wide)).toEqual({ ok: true, text: '{"mcpServers":{}}' });
    // A pattern that retries from every space takes minutes.
    expect(processorMs() - started).toBeLessThan(5_000);
  });

  it('distinguishes an empty frame from one with any content', () => {
    expect(isEmptyFrame('\ufeff{\r\n "mcpServers": { }\r\n}', 'mcpServers')).toBe(true);
    for (const text of ['{}', '{"mcpServers":{"a":1}}', '{"mcpServers":{}/**/}', '{"mcpServers":{},"x":1}'])
      expect(isEmptyFrame(text, 'mcpServers')).toBe(false);
  });
});
