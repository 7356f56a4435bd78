import fc from 'fast-check';
import { editedText, jsoncDocument, jsoncPieces, serverName } from '../../../test/helpers/jsonc-documents.ts';
import { jsonEntry, removeJsonEntry, setJsonEntry } from '../setup/jsonc-edit.ts';
import { withLine, withoutLine } from './exclude-lines.ts';
import { undone, undoOf } from './undo.ts';

const ENTRY = { type: 'stdio', command: 'node', args: ['/h/.devdb/bin/devdb-mcp.cjs'] };

function set(text: string): string {
  return editedText(setJsonEntry(text, 'mcpServers', 'devdb', ENTRY));
}

function remove(text: string): string {
  return editedText(removeJsonEntry(text, 'mcpServers', 'devdb'));
}

describe('any document', () => {
  it('is restored byte for byte after our entry was in it', () => {
    fc.assert(
      fc.property(jsoncDocument, (text) => {
        const open = set(text);
        expect(jsonEntry(open, 'mcpServers', 'devdb')).toEqual(ENTRY);
        expect(undone(open, undoOf(text, open))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('means the same after our entry was removed, with every comment kept', () => {
    const comments = (text: string) => text.match(/é "x": \{|\/\* , \} \*\//g)?.length ?? 0;
    fc.assert(
      fc.property(jsoncDocument, (text) => {
        const after = remove(set(text));
        expect(jsonEntry(after, 'mcpServers', 'devdb')).toBeUndefined();
        expect(comments(after)).toBe(comments(text));
        // Putting another entry in its place shows how a parser reads the rest.
        expect(remove(set(after))).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  it('has the same other servers before, during and after', () => {
    fc.assert(
      fc.property(
        fc.dictionary(serverName, fc.jsonValue()),
        fc.dictionary(serverName, fc.jsonValue()),
        fc.constantFrom(undefined, 2, '\t'),
        (root, servers, indent) => {
          fc.pre(!JSON.stringify([root, servers]).includes('__proto__'));
          const text = JSON.stringify({ ...root, mcpServers: servers }, null, indent);
          const before = JSON.parse(text);
          const open = set(text);
          expect(JSON.parse(open)).toEqual({ ...before, mcpServers: { ...before.mcpServers, devdb: ENTRY } });
          expect(JSON.parse(remove(open))).toEqual(before);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('formatted by a program is restored byte for byte even without a record', () => {
    const servers = fc.dictionary(serverName, fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(servers, fc.constantFrom(2, 4, '\t'), fc.constantFrom('\n', '\r\n'), (others, indent, lineEnd) => {
        fc.pre(!JSON.stringify(others).includes('__proto__'));
        const text = JSON.stringify({ mcpServers: others }, null, indent).replaceAll('\n', lineEnd);
        expect(remove(set(text))).toBe(text);
      }),
    );
  });

  it('changed by somebody is not restored', () => {
    const open = set('{}');
    expect(undone(`${open} `, undoOf('{}', open))).toBeUndefined();
  });

  it('of pieces of JSON is edited correctly or refused, and never loses a byte', () => {
    fc.assert(
      fc.property(jsoncPieces, (text) => {
        const edit = removeJsonEntry(text, 'mcpServers', 'devdb');
        if (!edit.ok) expect(edit.line).toBeGreaterThan(0);
        else expect(jsonEntry(edit.text, 'mcpServers', 'devdb')).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a line of an exclude file', () => {
  it('is present once, and the others are unchanged', () => {
    const lines = fc.array(fc.constantFrom('a', '/b', '# c', '', '/.mcp.json'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), fc.boolean(), (list, lineEnd, closed) => {
        const text = list.join(lineEnd) + (closed ? lineEnd : '');
        const after = withLine(text, '/.mcp.json');
        expect(after.split(/\r?\n/)).toContain('/.mcp.json');
        expect(withLine(after, '/.mcp.json')).toBe(after);
        expect(undone(after, undoOf(text, after))).toBe(text);
        if (list.includes('/.mcp.json')) expect(after).toBe(text);
        else
          expect(
            withoutLine(after, '/.mcp.json')
              .split(/\r?\n/)
              .filter((line) => line !== ''),
          ).toEqual(list.filter((line) => line !== ''));
      }),
    );
  });
});
