import { QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { ToolDefinition } from '@devdb/shared/tools';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import type { ProjectToolFile } from '@devdb/shared/tools/project-tool-file';
import { inputOf } from './parameter-fields.ts';

/** The name under which a tool is listed. */
export function nameOf({ alias, mcp }: ProjectToolFile): string {
  return mcp.tool ?? alias.replaceAll('.', '_');
}

/** What the model reads. It says whose words these are. */
export function descriptionOf({ mcp }: ProjectToolFile, path: string): string {
  const whenToUse = mcp.llm?.when_to_use;
  return [
    mcp.description.trim(),
    ...(whenToUse === undefined ? [] : [`When to use: ${whenToUse.trim()}`]),
    `(A tool of this project's own${path === '' ? '' : `, from ${path}`}.)`,
  ].join('\n');
}

/** The tool as every door lists it. It answers what run-query answers, and may change data as that may. */
export function definitionOf(file: ProjectToolFile, path: string): ToolDefinition {
  const { annotations, errors, output, text, words } = runQuery;
  return {
    name: nameOf(file),
    aliases: [file.alias],
    title: titleOf(file.alias),
    description: descriptionOf(file, path),
    toolset: 'database',
    runsIn: 'sidecar',
    input: inputOf(file),
    output,
    annotations,
    errors,
    timeoutMs: file.mcp.timeout ?? QUERY_TIMEOUT_MS,
    text,
    words,
    // The project's own calls are not known here.
    examples: [],
  };
}

function titleOf(alias: string): string {
  const words = alias.replaceAll(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
