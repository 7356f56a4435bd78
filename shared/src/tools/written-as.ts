import type * as z from 'zod';
import type { TextForm } from '../envelope.ts';

/** The text form of a tool with a writer of its own: the data that its output schema describes, as a model reads it. */
export function writtenAs<Output extends z.ZodObject>(
  output: Output,
  write: (data: z.output<Output>) => string,
): TextForm {
  return { as: 'written', write: (data) => write(output.parse(data)) };
}
