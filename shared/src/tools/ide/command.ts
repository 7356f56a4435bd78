import * as z from 'zod';
import { MAX_TERMINAL_TIMEOUT_MS, TERMINAL_ANSWER_GRACE_MS, TERMINAL_START_MS } from '../../limits.ts';
import { plain } from '../../plain-text.ts';
import type { Approval } from '../define-tool.ts';

/** Keys that a terminal would press instead of writing them: control-C, escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const KEYS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What the tools that run a command line take. */
export const commandInput = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(32_768)
    .refine((text) => text.trim() !== '', 'not only blanks')
    .refine((text) => !KEYS.test(text), 'no control characters but line breaks and tabs')
    .describe('Command line for the shell'),
  timeoutMs: z
    .int()
    .min(1)
    .max(MAX_TERMINAL_TIMEOUT_MS)
    .optional()
    .describe('How long to wait for its end; then it goes on. Default: Devdb.terminalTimeout'),
});

/** What they answer. */
export const commandOutput = z.object({
  text: z.string().describe('What it wrote, then in brackets what is to be known of its end'),
  status: z.enum(['completed', 'running', 'closed', 'sent']),
  exitCode: z.int().optional(),
  truncated: z.boolean(),
});

type CommandInput = z.output<typeof commandInput>;

/** The tool waits by itself and answers that the command still runs; without a time-out of the call the setting's holds. */
export function commandDeadlineMs({ timeoutMs = MAX_TERMINAL_TIMEOUT_MS }: CommandInput): number {
  return TERMINAL_START_MS + timeoutMs + TERMINAL_ANSWER_GRACE_MS;
}

/** The question shows the whole command; a yes for the session is one for exactly this text. */
export const commandApproval: Approval<CommandInput> = {
  question: ({ command }) => ({
    ask: plain`Run this command in a terminal of this window?`,
    statement: command,
    facts: [{ label: plain`Where`, value: plain`In the project's folder, with your rights.` }],
  }),
  covers: ({ command }) => command,
  coversSameOnly: true,
};

export const RUNS_CODE = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;
