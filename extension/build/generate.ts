import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import { allTools, type ToolDefinition } from '@devdb/shared/tools';
import { projectToolFile } from '@devdb/shared/tools/project-tool-file';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
const TABLE_BEGIN = '<!-- tools:begin -->';
const TABLE_END = '<!-- tools:end -->';

const manifestSchema = z.looseObject({ version: z.string(), contributes: z.looseObject({}) });

/** A file that is made from the tool definitions, wholly or in part. */
interface Generated {
  readonly file: string;
  readonly text: string;
}

/** What the files should hold. README.md takes part once it exists. */
function generated(): Generated[] {
  const extensionFile = join('extension', 'package.json');
  const manifest = manifestSchema.parse(JSON.parse(read(extensionFile)));
  const contributes = { ...manifest.contributes, languageModelTools: allTools.map(contribution) };
  const files = [
    { file: extensionFile, text: json({ ...manifest, contributes }) },
    { file: join('sidecar', 'manifest.json'), text: json(toolManifest(manifest.version)) },
    { file: join('extension', 'schemas', 'meta-yaml.schema.json'), text: json(toolFileSchema()) },
  ];
  if (existsSync(join(ROOT, 'README.md'))) files.push({ file: 'README.md', text: withTable(read('README.md')) });
  return files;
}

/** One entry of `contributes.languageModelTools`; names are global over all extensions. */
function contribution({ name, title, description, input, toolset, annotations }: ToolDefinition) {
  return {
    name: `devdb_${name}`,
    displayName: title,
    modelDescription: description,
    userDescription: firstSentence(description),
    toolReferenceName: `devdb_${name}`,
    canBeReferencedInPrompt: true,
    tags: ['devdb', toolset],
    when: conditionOf(name, annotations),
    inputSchema: inputJsonSchema(input),
  };
}

/** When the editor's own agent sees a tool; the extension says which tools are off. */
function conditionOf(name: string, { readOnlyHint }: ToolDefinition['annotations']): string {
  const always = ['config.Devdb.enableMcpServer', "config.Devdb.vscodeAgent == 'tools'", `!devdb.off.${name}`];
  return [...always, ...(readOnlyHint ? [] : ['isWorkspaceTrusted'])].join(' && ');
}

/** For editors, which complete and check the files of a project's own tools with it. */
function toolFileSchema() {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...inputJsonSchema(projectToolFile) };
}

function toolManifest(version: string) {
  return {
    name: 'DevDB',
    version,
    tools: allTools.map(
      ({ name, aliases, title, description, toolset, runsIn, annotations, timeoutMs, errors, input }) => ({
        name,
        ...(aliases === undefined ? {} : { aliases }),
        title,
        description,
        toolset,
        runsIn,
        annotations,
        timeoutMs,
        errors,
        inputSchema: inputJsonSchema(input),
      }),
    ),
  };
}

function withTable(readme: string): string {
  const begin = readme.indexOf(TABLE_BEGIN);
  const end = readme.indexOf(TABLE_END);
  if (begin < 0 || end < begin) {
    throw new Error(`README.md lacks the lines that the tool table stands between: ${TABLE_BEGIN} and ${TABLE_END}`);
  }
  return `${readme.slice(0, begin)}${TABLE_BEGIN}\n${toolTable()}\n${readme.slice(end)}`;
}

function toolTable(): string {
  const rows = allTools.map(({ name, description, input, annotations }) => {
    const changes = annotations.readOnlyHint
      ? 'reads'
      : annotations.destructiveHint
        ? 'asks before it changes data'
        : 'writes a file';
    return `| \`${name}\` | ${firstSentence(description)} | ${parameters(input)} | ${changes} |`;
  });
  return ['| tool | what it does | parameters (`?` optional) | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function parameters(input: z.ZodObject): string {
  const names = Object.entries(input.shape).map(([name, field]) => `\`${name}${isOptional(field) ? '?' : ''}\``);
  return names.length === 0 ? '–' : names.join(', ');
}

function isOptional(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(undefined).success;
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes what differs, or with `--check` only names it. */
function main(args: readonly string[]): number {
  const differing = generated().filter(({ file, text }) => !existsSync(join(ROOT, file)) || read(file) !== text);
  if (args.includes('--check')) {
    for (const { file } of differing)
      process.stdout.write(`${file} differs from the tool definitions. Run: npm run generate\n`);
    return differing.length === 0 ? 0 : 1;
  }
  for (const { file, text } of differing) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
    process.stdout.write(`written: ${file}\n`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
