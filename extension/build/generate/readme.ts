import type { ToolDefinition } from '@devdb/shared/tools';
import * as z from 'zod';
import type { Generated } from './generated.ts';
import { firstSentence } from './manifests.ts';

const TABLE_BEGIN = '<!-- tools:begin -->';
const TABLE_END = '<!-- tools:end -->';

/** README.md with the table of tools. */
export function readmeWithTable(readme: string, tools: readonly ToolDefinition[]): Generated {
  const begin = readme.indexOf(TABLE_BEGIN);
  const end = readme.indexOf(TABLE_END);
  if (begin < 0 || end < begin) {
    throw new Error(`README.md lacks the lines that the tool table stands between: ${TABLE_BEGIN} and ${TABLE_END}`);
  }
  const text = `${readme.slice(0, begin)}${TABLE_BEGIN}\n${toolTable(tools)}\n${readme.slice(end)}`;
  return { file: 'README.md', text };
}

function toolTable(tools: readonly ToolDefinition[]): string {
  const rows = tools.map(
    ({ name, toolset, description, input, words }) =>
      `| \`${name}\` | ${toolset} | ${firstSentence(description)} | ${parameters(input)} | ${words.effect} |`,
  );
  const head = ['| tool | toolset | what it does | parameters (`?` optional) | |', '| --- | --- | --- | --- | --- |'];
  return [...head, ...rows].join('\n');
}

function parameters(input: z.ZodObject): string {
  const names = Object.entries(input.shape).map(([name, field]) => `\`${name}${isOptional(field) ? '?' : ''}\``);
  return names.length === 0 ? '–' : names.join(', ');
}

function isOptional(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(undefined).success;
}
