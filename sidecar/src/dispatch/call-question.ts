import { UNNAMED_CLIENT } from '@devdb/shared/client-name';
import { nameText, type PlainText, plain, quoted, valueText } from '@devdb/shared/plain-text';
import { type Question, questionOf } from '@devdb/shared/protocol';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Request } from '../tools/tool-context.ts';
import type { Caller } from './caller.ts';

/** What is asked before a call of a client about which the user wants to be asked each time. */
export function callRequest(
  tool: ToolDefinition,
  input: Record<string, unknown>,
  { clientName }: Pick<Caller, 'clientName'>,
): Omit<Request, 'subject'> {
  return {
    question: async () => callQuestion(tool, input, clientName),
    unasked: async () => ({
      message: `The user wants to be asked before each call of ${callsItself(clientName)}, and could not be asked. Nothing was run.`,
      hint: 'Tell the user what you wanted to do. They are asked in VS Code while the project is open there.',
    }),
  };
}

function callQuestion(tool: ToolDefinition, input: Record<string, unknown>, clientName: PlainText): Question {
  const { statement, others } = shownInput(input);
  const title = nameText(tool.title);
  return questionOf({
    kind: 'call',
    title: plain`DevDB: ${title}`,
    ask: plain`Let ${callsItself(clientName)} run ${quoted(title)}?`,
    statement,
    facts: [
      { label: plain`Tool`, value: nameText(tool.name) },
      ...others.map(([name, value]) => ({ label: nameText(name), value: valueText(value) })),
      {
        label: plain`Why you are asked`,
        value: plain`You chose to be asked before each call of this client. Its calls in the DevDB view have a button that ends this.`,
      },
    ],
  });
}

/** A client by the name that it gives itself, which may be any. */
function callsItself(name: PlainText): PlainText {
  return name === UNNAMED_CLIENT
    ? plain`a client that gives no name`
    : plain`the client that calls itself ${quoted(name)}`;
}

/** A longer value is not shown whole beside a statement. */
const MAX_FACT_CHARS = 120;

interface ShownInput {
  readonly statement: string | undefined;
  readonly others: readonly (readonly [name: string, value: unknown])[];
}

/** All of an input: the SQL as it stands where the rest can be shown whole beside it, else everything as JSON. */
function shownInput({ query, ...rest }: Record<string, unknown>): ShownInput {
  const others = Object.entries(rest).filter(([, value]) => value !== undefined);
  const isShort = others.every(([, value]) => JSON.stringify(value).length <= MAX_FACT_CHARS);
  if (typeof query === 'string' && isShort) return { statement: query, others };
  const input = query === undefined ? rest : { query, ...rest };
  return {
    statement: others.length === 0 && query === undefined ? undefined : JSON.stringify(input, null, 2),
    others: [],
  };
}
