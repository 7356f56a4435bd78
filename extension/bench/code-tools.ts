import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import * as z from 'zod';
import { type Figure, milliseconds, timed } from '../../sidecar/bench/measure.ts';
import { makeCodeProject, type Subject } from './code-project.ts';
import { type AgentCall, type EditorStage, onStage } from './editor-stage.ts';
import { type Exchange, searchAndRead, searchOnly, type Work } from './grep-agent.ts';

const references = z.object({
  files: z.array(z.object({ path: z.string(), lines: z.array(z.string()) })),
  truncated: z.literal(false),
});
const definition = z.object({ places: z.array(z.object({ at: z.string() })) });
const calls = z.object({
  calls: z.array(z.object({ children: z.array(z.object({ name: z.string(), calls: z.array(z.string()) })) })),
});

/**
 * Calls and tokens (o200k, of what is sent and of what is answered) for "where is it defined, who calls it, what breaks
 * if its signature changes", in a project of some 2,000 files: with the code tools, and with grep and reading.
 */
export async function measureCodeTools(): Promise<Figure[]> {
  let subjects: readonly Subject[] = [];
  const project = (root: string) => {
    subjects = makeCodeProject(root);
  };
  const figures = await onStage({ project, toolsets: ['code'] }, (stage) => measureOn(stage, subjects));
  return typeof figures === 'string' ? [notMeasured(figures)] : figures;
}

async function measureOn(stage: EditorStage, subjects: readonly Subject[]): Promise<Figure[]> {
  const encoding = new Tiktoken(o200k);
  const tokens = (text: string) => encoding.encode(text, 'all').length;
  const first = await timed(() => stage.call('code_symbols', { query: 'settleLedger' }));
  const figures: Figure[] = [];
  for (const subject of subjects) figures.push(await compare(stage, subject, tokens));
  const what = 'the first answer of a code tool in a new window of that project, language server started';
  const figure = milliseconds(first);
  return [...figures, { what, budget: '–', figure, met: undefined, numbers: { firstMs: first } }];
}

async function compare(
  { root, ripgrep, call }: EditorStage,
  subject: Subject,
  tokens: (text: string) => number,
): Promise<Figure> {
  let ours: Work = { exchanges: [], found: new Set(), wrong: new Set() };
  const ms = await timed(async () => {
    ours = await useTools(call, root, subject);
  });
  const alone = await searchOnly(root, ripgrep, subject);
  const reading = await searchAndRead(root, ripgrep, subject);
  const cost = ({ exchanges }: Work) => exchanges.reduce((sum, it) => sum + tokens(it.sent) + tokens(it.answer), 0);
  const told = (work: Work) => {
    const wrong = work.wrong.size === 0 ? '' : `, and ${work.wrong.size} lines that are none`;
    const found = `${work.found.size} of ${subject.calls.size} calls found${wrong}`;
    return `${work.exchanges.length} calls, ${cost(work).toLocaleString('en')} tokens, ${found}`;
  };
  return {
    what: `where defined, who calls, what breaks: ${subject.title}`,
    budget: 'all found, fewer tokens than grep and reading',
    figure: `${told(ours)} (${milliseconds(ms)}); grep and reading: ${told(reading)}; grep alone: ${told(alone)}`,
    met: ours.found.size === subject.calls.size && ours.wrong.size === 0 && cost(ours) < cost(reading),
    numbers: {
      calls: ours.exchanges.length,
      tokens: cost(ours),
      ms,
      readingCalls: reading.exchanges.length,
      readingTokens: cost(reading),
      grepCalls: alone.exchanges.length,
      grepTokens: cost(alone),
      grepWrong: alone.wrong.size,
      grepFound: alone.found.size,
      uses: subject.calls.size,
    },
  };
}

/** What an agent does that knows a name: finds the symbol, reads its code, asks who calls it and who refers to it. */
async function useTools(call: AgentCall, root: string, subject: Subject): Promise<Work> {
  const exchanges: Exchange[] = [];
  const ask = async (tool: string, input: object): Promise<unknown> => {
    const answer = await call(tool, input);
    exchanges.push({ sent: JSON.stringify({ name: tool, projectRoot: root, ...input }), answer });
    return JSON.parse(answer);
  };
  const symbols = JSON.stringify(await ask('code_symbols', { query: subject.word }));
  if (!symbols.includes(subject.within)) throw new Error(`code_symbols does not name ${subject.within}: ${symbols}`);
  const place = { path: subject.within, symbol: subject.symbol };
  const { places } = definition.parse(await ask('code_definition', place));
  if (!places.some(({ at }) => at.startsWith(`${subject.definedAt}:`))) throw new Error(`Defined elsewhere: ${places}`);
  const tree = calls.parse(await ask('code_calls', { ...place, direction: 'incoming' }));
  const callers = tree.calls.flatMap(({ children }) => children.flatMap((child) => child.calls)).length;
  if (callers !== subject.calls.size) throw new Error(`${subject.symbol}: code_calls has ${callers} calls.`);
  const { files } = references.parse(await ask('code_references', place));
  const lines = files.flatMap(({ path, lines: own }) => own.map((line) => `${path}:${Number.parseInt(line, 10)}`));
  return {
    exchanges,
    found: new Set(lines.filter((line) => subject.calls.has(line))),
    wrong: new Set(lines.filter((line) => !subject.calls.has(line) && !subject.mentions.has(line))),
  };
}

function notMeasured(why: string): Figure {
  const what = 'calls and tokens of questions about code';
  return { what, budget: '–', figure: `not measured: ${why}`, met: undefined, numbers: {} };
}
