import type * as z from 'zod';
import { AppError } from '../errors.ts';
import type { ToolDefinition } from './define-tool.ts';

/** Parses a call's input by its tool's schema. E_INVALID_PARAMS names each field that is wrong. */
export function parseInput(tool: ToolDefinition, rawInput: unknown): Record<string, unknown> {
  const parsed = tool.input.safeParse(rawInput ?? {});
  if (parsed.success) return parsed.data;
  throw new AppError('E_INVALID_PARAMS', `${tool.name}: ${parsed.error.issues.map(issueText).join('; ')}.`, {
    hint: `${tool.name} takes: ${Object.keys(tool.input.shape).join(', ') || 'no fields'}.`,
    details: { fields: parsed.error.issues.map((issue) => issue.path.join('.')) },
  });
}

function issueText(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}
