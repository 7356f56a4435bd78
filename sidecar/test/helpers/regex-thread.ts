import { parentPort } from 'node:worker_threads';

// Runs patterns on texts in a thread of its own, so that one that never ends can be ended with it.

export interface RegexJob {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
}

/** The time for each text, in ms. */
export type RegexTimes = readonly number[];

/** CPU time: other programs of a busy machine do not count. */
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

/** As the sources use them: a sticky one continues until it fails, any other is searched as often as it says. */
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
