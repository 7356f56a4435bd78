import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTools, TOOLSETS } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { Typist } from '../../fixtures/labs/vscode/typist.ts';
import type { StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { movesSeen, typedFile, typeInto, watchMoves } from './helpers/moves.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

type Input = Readonly<Record<string, unknown>>;

const LINES = Array.from({ length: 300 }, (_, at) => `// Line ${at + 1}: `);
const AT_LINE = 150;

/** What an agent changes beside a person, in an order in which each finds what the one before has left. */
const CHANGES: readonly (readonly [tool: string, input: Input])[] = [
  ['create_new_file_with_text', { pathInProject: 'src/new.ts', text: 'export const made = 1;\n' }],
  ['replace_file_text_by_path', { pathInProject: 'src/new.ts', text: 'export const  made = 2\n' }],
  ['code_format', { path: 'src/new.ts' }],
  ['rename_symbol', { fileUri: 'src/greeting.ts', originalName: 'greeting', newName: 'salute' }],
  ['rename_file', { oldUri: 'src/greeting.ts', newUri: 'src/salute.ts' }],
  ['code_actions', { path: 'src/untidy.ts', kind: 'source', apply: 'Organize Imports' }],
  ['breakpoint_set', { path: 'src/loop.js', line: 3 }],
  ['breakpoint_clear_project', {}],
  ['execute_command_with_output', { command: 'echo beside' }],
];

describeEditor('a person who types while an agent works', () => {
  let editor: Editor;
  let window: Window;
  let root: string;
  let agent: StdioClient;

  beforeAll(async () => {
    const sample = await startOnSample(
      {
        settings: { 'Devdb.mcp.toolsets': TOOLSETS, 'files.autoSave': 'off' },
        machineSettings: { 'Devdb.approvals': 'allow' },
      },
      (folder) => {
        addExampleFiles(folder);
        writeFileSync(join(folder, 'src', 'typed.ts'), LINES.join('\n'));
        execFileSync('git', ['init', '--quiet'], { cwd: folder });
      },
    );
    ({ editor, window, root } = sample);
    agent = await sample.devdb.stdioClient(['--toolsets', TOOLSETS.join(',')]);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  /** Calls one tool after the other while the person types; returns the answers that are errors. */
  async function callWhileTyping(typist: Typist, calls: readonly (readonly [string, Input])[]): Promise<string[]> {
    let isOver = false;
    const typing = typist.typeUntil(() => isOver);
    const failed: string[] = [];
    try {
      for (const [tool, input] of calls) {
        const { isError, text } = await agent.call(tool, { projectRoot: root, ...input });
        if (isError) failed.push(`${tool}: ${text}`);
      }
    } finally {
      isOver = true;
      await typing;
    }
    return failed;
  }

  async function expectIntact(typist: Typist): Promise<void> {
    const file = join(root, 'src', 'typed.ts');
    const text = LINES.with(AT_LINE - 1, `${LINES[AT_LINE - 1]}${typist.typed}`).join('\n');
    const line = async () => (await typedFile(window, file)).text.split('\n')[AT_LINE - 1];
    // The last keys are on their way from the page to the extension host.
    await until(
      `${await line()} ends with "${typist.typed}"`,
      async () => (await line())?.endsWith(typist.typed) === true,
    );
    expect(await typedFile(window, file)).toEqual({ active: file, isDirty: true, text });
    expect(readFileSync(file, 'utf8')).toBe(LINES.join('\n'));
  }

  test('sees nothing opened, focused or scrolled by any tool that only reads, and keeps what they typed', async () => {
    const reading = allTools
      .filter(({ annotations }) => annotations.readOnlyHint)
      .flatMap(({ name, examples }) => examples.map((example) => ({ name, ...example })))
      .filter(({ gives, given }) => gives === 'ok' && given === undefined);
    expect(reading.length).toBeGreaterThan(50);
    await until(
      'the repository is open',
      async () => !(await agent.call('get_project_vcs_status', { projectRoot: root })).isError,
    );
    await typeInto(window, join(root, 'src', 'typed.ts'), AT_LINE);
    const typist = await Typist.at(window.page);
    await typist.type(5);
    await watchMoves(window);
    expect(
      await callWhileTyping(
        typist,
        reading.map(({ name, input }) => [name, input]),
      ),
    ).toEqual([]);
    expect(await movesSeen(window)).toEqual([]);
    await expectIntact(typist);
  });

  test('keeps the keyboard and what they typed while an agent changes other files and runs commands', async () => {
    await typeInto(window, join(root, 'src', 'typed.ts'), AT_LINE);
    const typist = await Typist.at(window.page);
    await typist.type(5);
    await watchMoves(window);
    expect(await callWhileTyping(typist, CHANGES)).toEqual([]);
    expect((await movesSeen(window)).filter((move) => /^(active|scrolled)/.test(move))).toEqual([]);
    await expectIntact(typist);
  });
});
