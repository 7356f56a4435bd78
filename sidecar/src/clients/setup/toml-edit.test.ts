import fc from 'fast-check';
import { setTomlTable } from './toml-edit.ts';

const BODY = ['command = "node"', 'args = ["/a b"]'];
const BLOCK = '[mcp_servers.devdb]\ncommand = "node"\nargs = ["/a b"]\n';

function set(text: string): string {
  const edit = setTomlTable(text, 'mcp_servers', 'devdb', BODY);
  if (!edit.ok) throw new Error(`${edit.line}: ${edit.reason}`);
  return edit.text;
}

describe('setTomlTable', () => {
  it('makes a file from nothing', () => {
    expect(set('')).toBe(BLOCK);
  });

  it('appends to the content, even without a final newline', () => {
    expect(set('model = "x" # mine')).toBe(`model = "x" # mine\n\n${BLOCK}`);
  });

  it('replaces its own table and keeps its neighbours, their comments and its sub-table', () => {
    const text =
      'a = 1\n[mcp_servers.devdb] # old\ncommand = "x"\nmore = [\n  "[not.a.table]", # x\n]\n\n# about the next\n[mcp_servers."devdb".env]\nA = "1"\n[z]\n';
    expect(set(text)).toBe(`a = 1\n${BLOCK}\n# about the next\n[mcp_servers."devdb".env]\nA = "1"\n[z]\n`);
    expect(set(set(text))).toBe(set(text));
  });

  it('is not misled by headers inside long strings', () => {
    const text = `note = """\n[mcp_servers.devdb]\n"""\nraw = '''\n[x]\n'''\ndate = 2024-01-02 10:00:00Z\nt = { a = 1, "b c" = [1.5, true] }\n`;
    expect(set(text)).toBe(`${text}\n${BLOCK}`);
  });

  it.each([
    ['mcp_servers = {}\n', 1],
    ['a = 1\nmcp_servers.devdb = { command = "x" }\n', 2],
    ['[mcp_servers]\ndevdb = { command = "x" }\n', 2],
    ['[mcp_servers]\ndevdb.command = "x"\n', 2],
  ])('refuses to add to %j, which already defines it in another form', (text, line) => {
    expect(setTomlTable(text, 'mcp_servers', 'devdb', BODY)).toMatchObject({ ok: false, line });
  });

  it.each([
    ['a = \n', 1],
    ['a = 1\n[b\n', 2],
    ['a = "x\n', 1],
    ['a = """x\n', 1],
    ['a = [1, 2\n', 2],
    ['a = 1 2\n', 1],
    ['= 1\n', 1],
    ['nothing\n', 1],
    ['a = yes\n', 1],
  ])('refuses %j and names line %d', (text, line) => {
    const edit = setTomlTable(text, 'mcp_servers', 'devdb', BODY);
    expect(edit).toMatchObject({ ok: false, line, reason: expect.stringContaining('not valid TOML') });
  });

  it('answers any text with an edit or a line, and accepts what it wrote', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '"',
      "'",
      '=',
      '.',
      ',',
      'a',
      'mcp_servers',
      'devdb',
      '1',
      '#',
      '\n',
      '{',
      '}',
      ' ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const edit = setTomlTable(pieces.join(''), 'mcp_servers', 'devdb', BODY);
        if (edit.ok) expect(set(edit.text)).toBe(edit.text);
        else expect(edit.line).toBeGreaterThan(0);
      }),
      { numRuns: 3000 },
    );
  });
});
