import { parentPort } from 'node:worker_threads';

// Runs patterns on texts, apart from the test: one that never ends is ended with this thread.

export interface RegexJob {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
}

/** How long each text took, in ms. */
export type RegexTimes = readonly number[];

/** Of the processor: other programs of a busy machine do not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

parentPort?.on('message', ({ source, flags, texts }: RegexJob) => {
  const pattern = new RegExp(source, flags);
  const times: number[] = texts.map((text) => {
    const began = threadMs();
    run(pattern, text);
    return threadMs() - began;
  });
  parentPort?.postMessage(times);
});

/** As sources use them: a sticky one goes on until it does not fit, any other is looked for as often as it says. */
function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (!pattern.sticky) {
    text.replace(pattern, '');
    return;
  }
  for (let before = -1; pattern.lastIndex > before && pattern.lastIndex < text.length; ) {
    before = pattern.lastIndex;
    if (!pattern.test(text)) return;
  }
}
