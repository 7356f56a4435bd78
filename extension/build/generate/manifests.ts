import { join } from 'node:path';
import { fileJsonSchema, inputJsonSchema } from '@devdb/shared/json-schema';
import type { ToolDefinition } from '@devdb/shared/tools';
import { projectToolFile } from '@devdb/shared/tools/project-tool-file';
import { DEFAULT_TOOLSETS, TOOLSETS } from '@devdb/shared/tools/toolsets';
import * as z from 'zod';
import { type Generated, json } from './generated.ts';

const manifestSchema = z.looseObject({
  version: z.string(),
  contributes: z.looseObject({
    configuration: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
  }),
});

/** The extension's package.json with its tools and toolsets, and the list that the stdio entry reads. */
export function manifests(packageJson: string, tools: readonly ToolDefinition[]): Generated[] {
  const manifest = manifestSchema.parse(JSON.parse(packageJson));
  const { configuration } = manifest.contributes;
  const toolsets = {
    ...configuration.properties['Devdb.mcp.toolsets'],
    items: { type: 'string', enum: TOOLSETS },
    default: DEFAULT_TOOLSETS,
  };
  const contributes = {
    ...manifest.contributes,
    languageModelTools: tools.map(contribution),
    configuration: { ...configuration, properties: { ...configuration.properties, 'Devdb.mcp.toolsets': toolsets } },
  };
  return [
    { file: join('extension', 'package.json'), text: json({ ...manifest, contributes }) },
    { file: join('sidecar', 'manifest.json'), text: json(toolManifest(manifest.version, tools)) },
    { file: join('extension', 'schemas', 'meta-yaml.schema.json'), text: json(fileJsonSchema(projectToolFile)) },
  ];
}

/** One entry of `contributes.languageModelTools`; names are global across all extensions. */
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

/** When the editor's own agent sees a tool; the extension reports which tools are off. */
function conditionOf(name: string, { readOnlyHint }: ToolDefinition['annotations']): string {
  const always = ['config.Devdb.enableMcpServer', "config.Devdb.vscodeAgent == 'tools'", `!devdb.off.${name}`];
  return [...always, ...(readOnlyHint ? [] : ['isWorkspaceTrusted'])].join(' && ');
}

function toolManifest(version: string, tools: readonly ToolDefinition[]) {
  return {
    name: 'DevDB',
    version,
    tools: tools.map(
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

/** A point ends a sentence where a new one begins, or nothing follows; that of "e.g." does not. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s+\p{Lu}|\s*$)/su.exec(text)?.[0] ?? text;
}
