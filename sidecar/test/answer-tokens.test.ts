import { join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { ANSWER_FIGURES, isCurrent, REPLAY_FIGURES } from '../bench/answer-figures.ts';
import { makeBenchProject } from '../bench/bench-project.ts';
import { CALLS, FORM_CALLS } from '../bench/shop-questions.ts';
import { ANSWERS, LONG_TEXTS } from '../bench/typical-answers.ts';
import { makeWideProject } from '../bench/wide-project.ts';
import { type McpClient, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const encoding = new Tiktoken(o200k);

/** What is made here needs no more rows than the answers show. */
const ROWS = 1_000;

describe.each([
  [
    'typical reads',
    (root: string) => makeBenchProject(root, ROWS),
    [...ANSWERS, ...LONG_TEXTS].map(
      ([what, query, limit]) => [what, 'run-query', { query, ...(limit && { limit }) }] as const,
    ),
    ANSWER_FIGURES,
  ],
  ['other answers on a schema of fifty tables', makeWideProject, FORM_CALLS, ANSWER_FIGURES],
  [
    'twenty questions on it',
    makeWideProject,
    CALLS.map(([tool, input], at) => [`call ${at + 1}`, tool, input] as const),
    REPLAY_FIGURES,
  ],
])('the tokens of %s', (_what, make, calls, figures: Readonly<Record<string, { readonly text: number }>>) => {
  let project: TempProject;
  let root: string;
  let sidecar: RunningSidecar;
  let client: McpClient;

  beforeAll(async () => {
    project = tempProject();
    ({ root } = make(join(project.root, 'made')));
    sidecar = await startSidecar({ home: project.home, root });
    client = await stdioClient(project.home);
  });

  afterAll(async () => {
    await client?.close();
    await sidecar?.stop();
    project?.remove();
  });

  test.each(calls)('are not more than were written down: %s', async (what, tool, input) => {
    const { text } = await client.call(tool, { projectRoot: root, ...input });
    expect(text).not.toMatch(/^\[E_|^-- \d+: /m);
    const tokens = encoding.encode(text, 'all').length;
    expect({ what, tokens, isCurrent: isCurrent(tokens, figures[what]?.text) }).toEqual({
      what,
      tokens,
      isCurrent: true,
    });
  });
});
