import { join } from 'node:path';
import { TOOLSETS } from '@devdb/shared/tools/toolsets';
import type { Generated } from './generated.ts';
import type { ToolFile } from './tool-files.ts';

const HEAD = '// Made by `npm run generate` from the files of the tools. Add a file, not a line.\n';

/** The list of all definitions. */
export function catalogue(tools: readonly ToolFile[]): Generated {
  const imports = sorted(
    tools.map(({ toolset, name, symbol }) => `import { ${symbol} } from './${toolset}/${name}.ts';`),
  );
  const list = tools.map(({ symbol }) => `  ${symbol},\n`);
  const doc = '/** Every tool, in the order in which it is listed. */\n';
  return {
    file: join('shared', 'src', 'tools', 'catalog.ts'),
    text: `${HEAD}${imports}\n\n${doc}export const tools = [\n${list.join('')}] as const;\n`,
  };
}

/** The sidecar's handlers. */
export function sidecarHandlers(tools: readonly ToolFile[]): Generated {
  const own = tools.filter(({ runsIn }) => runsIn === 'sidecar');
  return {
    file: join('sidecar', 'src', 'tools', 'index.ts'),
    text: handlersText(own, {
      imports: [
        "import type { Handlers } from '@devdb/shared/tools';",
        "import type { ToolContext } from './tool-context.ts';",
      ],
      doc: '/** The handler of every tool that runs in the sidecar. */',
      type: "Handlers<'sidecar', ToolContext>",
    }),
  };
}

/** The editor's handlers, one file per toolset, because a toolset is loaded with its first call. */
export function editorHandlers(tools: readonly ToolFile[]): Generated[] {
  return TOOLSETS.flatMap((toolset) => {
    const own = tools.filter((tool) => tool.runsIn === 'editor' && tool.toolset === toolset);
    if (own.length === 0) return [];
    const text = handlersText(own, {
      imports: [
        "import type { HandlersOfSet } from '@devdb/shared/tools';",
        "import type { EditorContext } from '../editor-context.ts';",
      ],
      doc: `/** The handler of every tool of the toolset ${toolset} that runs in the editor. */`,
      type: `HandlersOfSet<'editor', '${toolset}', EditorContext>`,
    });
    return [{ file: join('extension', 'src', 'tools', toolset, 'index.ts'), text }];
  });
}

/** How each toolset's handlers are loaded in the editor. */
export function editorLoader(tools: readonly ToolFile[]): Generated {
  const there = TOOLSETS.filter((toolset) =>
    tools.some((tool) => tool.runsIn === 'editor' && tool.toolset === toolset),
  );
  const rows = there.map((toolset) => `  ${toolset}: async () => (await import('./${toolset}/index.ts')).handlers,\n`);
  return {
    file: join('extension', 'src', 'tools', 'load-handlers.ts'),
    text: `${HEAD}import type { Toolset } from '@devdb/shared/tools/toolsets';

/** Loads the handlers of a toolset; one without tools in the editor is not here. */
export const loadHandlers: Partial<Record<Toolset, () => Promise<object>>> = {
${rows.join('')}};
`,
  };
}

interface HandlersText {
  readonly imports: readonly string[];
  readonly doc: string;
  readonly type: string;
}

function handlersText(tools: readonly ToolFile[], { imports, doc, type }: HandlersText): string {
  const lines = sorted([...imports, ...tools.map(({ name, symbol }) => `import { ${symbol} } from './${name}.ts';`)]);
  const rows = tools.map(({ name, symbol }) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${symbol},\n`);
  return `${HEAD}${lines}\n\n${doc}\nexport const handlers = {\n${rows.join('')}} satisfies ${type};\n`;
}

/** In the formatter's order: by the imported path. */
function sorted(imports: readonly string[]): string {
  const from = (line: string) => line.slice(line.indexOf("'"));
  return [...imports].sort((one, other) => (from(one) < from(other) ? -1 : 1)).join('\n');
}
