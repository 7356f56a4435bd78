import { inputJsonSchema } from '@devdb/shared/json-schema';
import { pathText, sentenceText } from '@devdb/shared/plain-text';
import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const listProjectTools: Handler<'list-project-tools', ToolContext> = async (_input, context) => {
  const { on, problems } = context.projectTools();
  const tools = on.map(({ definition, alias, file }) => {
    const { name, title, description, input } = definition;
    return { name, alias, title, description, parameters: inputJsonSchema(input), file: pathText(file) };
  });
  return {
    tools,
    problems: problems.map(({ file, line, reason }) => ({
      file: pathText(file),
      ...(line === undefined ? {} : { line }),
      reason: sentenceText(reason),
    })),
  };
};
