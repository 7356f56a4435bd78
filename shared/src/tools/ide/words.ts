import { type PlainText, pathText, plain } from '../../plain-text.ts';
import type { Approval, ChangeQuestion, ToolWords } from '../define-tool.ts';

/** What tools that write a file say of themselves. */
export const WRITES_FILE = {
  effect: 'changes files',
  beforeRun: 'It changes a file of the project.',
  afterTimeout: 'Read the file before calling again: the change may have been made.',
} as const satisfies ToolWords;

/** The question before a text is written; `where` says which file. */
export function writeQuestion(ask: PlainText, where: PlainText, text: string): ChangeQuestion {
  return {
    ask,
    statement: text,
    facts: [{ label: plain`File`, value: where }],
  };
}

/** How a file that the input names is replaced or made. The editor asks for more where unsaved text would be lost. */
export function fileApproval<Input extends { readonly pathInProject: string; readonly text: string }>(
  tool: string,
  ask: PlainText,
): Approval<Input> {
  return {
    isFinal: () => false,
    question: ({ pathInProject, text }) => writeQuestion(ask, pathText(pathInProject), text),
    covers: () => tool,
  };
}
