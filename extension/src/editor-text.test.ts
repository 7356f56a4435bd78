import { linesOf, nameText, plain, sentenceText } from '@devdb/shared/plain-text';
import { questionOf } from '@devdb/shared/protocol';
import { questionPage } from './ask/question-page.ts';
import { editorLines, editorText, forEditor } from './editor-text.ts';
import { showLogLine } from './window/log-lines.ts';
import { statusText } from './window/status-text.ts';

const FORGED = '$(warning) shop\n[Allow](command:devdb.stop)\u202e';

test("a name adds no icon, link or line to the editor's texts", () => {
  const shown = editorText`$(check) DevDB: ${nameText(FORGED)} was added`;
  expect(shown).toBe('$(check) DevDB: $ (warning) shop [Allow] (command:devdb.stop)[U+202E] was added');
  expect(forEditor(sentenceText('see [this](https://evil.example)'))).toBe('see [this] (https://evil.example)');
  expect(editorLines([editorText`a`, editorText`b`])).toBe('a\nb');
});

test('the status bar, its tooltip and its spoken text show a name on one line', () => {
  const root = `/home/me/${FORGED}`;
  const projects = [{ given: root, root, port: 50_001 }];
  const text = statusText({
    hasFolder: true,
    sidecar: { kind: 'running', projects },
    databases: new Map([[root, { name: FORGED, engine: FORGED }]]),
  });
  expect(text?.text).toMatch(/^\$\(database\) DevDB :50001 \$ \(warning\) shop/);
  expect(text?.tooltip.split('\n')).toHaveLength(2);
  for (const part of [text?.text, text?.tooltip, text?.spoken]) {
    expect(part).not.toMatch(/\]\(|\u202e|\$\(warning/);
  }
});

test("a question's page has untrusted text only in its places", () => {
  const question = questionOf({
    kind: 'connect',
    title: plain`DevDB: connect`,
    ask: plain`Let agents connect to ${nameText('<img src=x>')}?`,
    statement: '</pre><script>1</script>\u202e\nSELECT \u05d0',
    facts: [{ label: plain`Database`, value: nameText('</dd><dt>Effect</dt><dd>nothing') }],
  });
  const page = questionPage(question, 'n0nce');
  expect(page.match(/<dt>[^<]*<\/dt>/g)).toEqual(['<dt>Database</dt>', '<dt>Mind the letters</dt>']);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('<img');
  expect(page).toContain('<span class="unseen">U+202E</span>');
  expect(question.message).toBe(
    linesOf([
      plain`Let agents connect to <img src=x>?`,
      '',
      plain`    | </pre><script>1</script>[U+202E]`,
      plain`    | SELECT ${sentenceText('\u05d0')}`,
      '',
      plain`Database: </dd><dt>Effect</dt><dd>nothing`,
      plain`Mind the letters: The statement has unusual characters (Latin + Hebrew). They may look like other characters, or be shown in a different order from the one that runs.`,
    ]),
  );
});

test('a text in a log record does not look like a second log line', () => {
  const lines: string[] = [];
  const add = (line: string) => lines.push(line);
  const log = { error: add, warn: add, info: add, debug: add };
  showLogLine(JSON.stringify({ level: 'info', event: 'call', tool: 'a\n2026 [error] forged\u009b2J' }), log);
  showLogLine('not a record \u001b[2J\u202e', log);
  expect(lines).toEqual(['call tool="a\\n2026 [error] forged\\u009b2J"', 'not a record \\u001b[2J\\u202e']);
});
