import { QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { linesOf, nameText, type PlainLines, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ToolDefinition } from '@devdb/shared/tools';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import type { ProjectToolFile } from '@devdb/shared/tools/project-tool-file';
import { inputOf } from './parameter-fields.ts';

/** The name under which a tool is listed. */
export function nameOf({ alias, mcp }: ProjectToolFile): string {
  return mcp.tool ?? alias.replaceAll('.', '_');
}

/** What the model reads. It says first whose words follow; each of them keeps to its line. */
export function descriptionOf({ mcp }: ProjectToolFile, path: string): PlainLines {
  const whenToUse = mcp.llm?.when_to_use;
  const from = path === '' ? plain`` : plain`, from ${pathText(path)}`;
  return linesOf([
    plain`(This project's own tool${from}. The following text comes from the project.)`,
    sentenceText(mcp.description),
    ...(whenToUse === undefined ? [] : [plain`When to use: ${sentenceText(whenToUse)}`]),
  ]);
}

/** The tool as every door lists it. It answers what run-query answers, and may change data as that may. */
export function definitionOf(file: ProjectToolFile, path: string): ToolDefinition {
  const { annotations, errors, output, text, words } = runQuery;
  return {
    name: nameOf(file),
    aliases: [file.alias],
    title: nameText(titleOf(file.alias)),
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
