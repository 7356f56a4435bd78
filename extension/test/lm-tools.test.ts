import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { envelopeText } from '@devdb/shared/envelope';
import { allTools, findTool, TOOLSETS, type ToolDefinition, type Toolset } from '@devdb/shared/tools';
import * as z from 'zod';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { Bridged, DevdbHome, McpOverHttp } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, EXTENSION, type Window } from './helpers/editor-lab.ts';
import { selectInExample } from './helpers/example-editor.ts';
import { invokeTool } from './helpers/invoke-tool.ts';
import { startOnSample } from './helpers/sample-window.ts';

type Input = Readonly<Record<string, unknown>>;

const manifest = z
  .object({ contributes: z.object({ languageModelTools: z.array(z.looseObject({ name: z.string() })) }) })
  .parse(JSON.parse(readFileSync(join(EXTENSION, 'package.json'), 'utf8')));

describeEditor("the tools of the editor's own agent", () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;
  let mcp: McpOverHttp;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample(
      { settings: { 'Devdb.mcp.toolsets': TOOLSETS }, machineSettings: { 'Devdb.approvals': 'allow' } },
      (folder) => {
        addExampleFiles(folder);
      },
    ));
    mcp = await devdb.mcpOverHttp(root);
  });

  afterAll(async () => {
    await mcp?.close();
    await editor?.stop();
  });

  /** The editor asks its user before a tool that is not read-only. */
  async function confirmed<T>(tool: string, running: Promise<T>): Promise<T> {
    const { title, annotations } = findTool(tool) ?? {};
    if (annotations?.readOnlyHint === false) {
      expect((await window.dialog()).message).toBe(`DevDB: ${title}?`);
      await window.press('Yes');
    }
    return running;
  }

  async function invoke(tool: string, input: Input): Promise<string> {
    return (await confirmed(tool, invokeTool(window, `devdb_${tool}`, input))).text;
  }

  /** What the examples speak of: files, and one of them open with something selected. Reads leave it as it is. */
  let ready: Toolset | undefined;
  async function prepare(toolset: Toolset): Promise<void> {
    if (ready === toolset) return;
    if (toolset === 'ide') await window.command('workbench.action.closeAllEditors');
    if (toolset === 'ide') await window.command('workbench.debug.viewlet.action.removeAllBreakpoints');
    addExampleFiles(root);
    if (toolset === 'ide') await selectInExample(window, root);
    ready = toolset;
  }

  /** An answer of the tool, on what its examples speak of. */
  async function answerOf(tool: ToolDefinition, ask: () => Promise<string>): Promise<string> {
    await prepare(tool.toolset);
    const answer = await ask();
    if (!tool.annotations.readOnlyHint) ready = undefined;
    return answer;
  }

  test('are those of the manifest, each with its description, schema and tags', async () => {
    const offered = await window.run((vscode) =>
      vscode.lm.tools
        .filter(({ name }) => name.startsWith('devdb_'))
        .map(({ name, description, inputSchema, tags }) => ({ name, description, inputSchema, tags })),
    );
    const contributed = manifest.contributes.languageModelTools.map((tool) => ({
      name: tool.name,
      description: tool['modelDescription'],
      inputSchema: tool['inputSchema'],
      tags: tool['tags'],
    }));
    const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
      one.name < other.name ? -1 : 1;
    expect(offered.sort(byName)).toEqual(contributed.sort(byName));
  });

  // Commands, runs and actions leave something behind that the second answer tells of: they have a suite of their own.
  const repeatable = allTools.filter(({ toolset, annotations }) => toolset !== 'ide' || !annotations.destructiveHint);

  test.each(repeatable.map((tool) => [tool.name, tool] as const))(
    '%s answers the same as over REST, MCP over HTTP and, where bridges have it, their dialect',
    async (name, tool) => {
      // The editor itself refuses input that does not fit the schema, and our own panel asks about a write.
      const examples = tool.examples.filter(
        ({ gives, given }) => given === undefined && !['E_INVALID_PARAMS', 'E_CONFIRMATION_REQUIRED'].includes(gives),
      );
      const seen = new Set<string>();
      for (const { input, gives } of examples) {
        const said = await answerOf(tool, () => invoke(name, input));
        expect(said.startsWith(`[${gives}]`)).toBe(gives !== 'ok');
        const overRest = await answerOf(tool, async () =>
          envelopeText(await devdb.callTool(root, name, input), tool.text),
        );
        expect(withoutTimes(overRest)).toBe(withoutTimes(said));
        // The other doors only translate: each outcome once is enough.
        if (seen.has(gives)) continue;
        seen.add(gives);
        const overMcp = await answerOf(tool, async () => (await mcp.call(name, input)).text);
        expect(withoutTimes(overMcp)).toBe(withoutTimes(said));
        if (tool.toolset !== 'ide') continue;
        const overBridge = await answerOf(tool, async () => bridgedText(await devdb.bridged(root, name, input)));
        // A bridge gets what the seed shows, without what is said of it besides: the list alone, the sentence alone.
        expect(withoutTimes(said)).toContain(withoutTimes(overBridge));
      }
    },
  );

  test('end when the agent cancels', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const running = window.run(async (vscode, query) => {
      const source = new vscode.CancellationTokenSource();
      const running = vscode.lm.invokeTool(
        'devdb_run-query',
        { input: { query }, toolInvocationToken: undefined },
        source.token,
      );
      vscode.commands.registerCommand('lab.cancelTool', () => source.cancel());
      return Promise.resolve(running).then(
        () => 'an answer',
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
      );
    }, endless);
    await window.dialog();
    await window.press('Yes');
    await window.command('lab.cancelTool');
    expect(await running).toMatch(/cancel/i);
  });
});

/** As the text of the other doors has it. */
function bridgedText({ status, error }: Bridged): string {
  expect([status, error]).toContain(null);
  return status ?? `] ${error}`;
}

function withoutTimes(text: string): string {
  return text.replaceAll(/"(durationMs|operationTimeMs)":[\d.]+/g, '"$1":0');
}
