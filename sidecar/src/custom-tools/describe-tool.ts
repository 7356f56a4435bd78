import { QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { linesOf, nameText, type PlainLines, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ToolDefinition } from '@devdb/shared/tools';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import type { ProjectToolFile } from '@devdb/shared/tools/project-tool-file';
import { inputOf } from './parameter-fields.ts';

/** The name a tool is listed under. */
export function nameOf({ alias, mcp }: ProjectToolFile): string {
  return mcp.tool ?? alias.replaceAll('.', '_');
}

/**
 * The description for the model. It first says that the rest is the project's text, which stays on lines of its own.
 */
export function descriptionOf({ mcp }: ProjectToolFile, path: string): PlainLines {
  const whenToUse = mcp.llm?.when_to_use;
  const from = path === '' ? plain`` : plain`, from ${pathText(path)}`;
  return linesOf([
    plain`(This project's own tool${from}. The following text comes from the project.)`,
    sentenceText(mcp.description),
    ...(whenToUse === undefined ? [] : [plain`When to use: ${sentenceText(whenToUse)}`]),
  ]);
}

/** The tool as every door lists it. It returns what run-query returns, and may change data on the same terms. */
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
    // The calls of a project's own tools are not known here.
    examples: [],
  };
}

function titleOf(alias: string): string {
  const words = alias.replaceAll(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
