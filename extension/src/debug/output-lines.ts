import { MAX_RECORDED_CHARS, RECORDED_BYTES } from './limits.ts';

/** What Node itself says to the user of a terminal about its debugger. */
const OF_NODE = ['Debugger attached.\n', 'Waiting for the debugger to disconnect...\n'];
/** More would push everything else out of the record, and itself too. */
const MAX_CHARS = RECORDED_BYTES / 2;

/** The lines of what was printed at once: debuggers pass on what they have read, be it half a line or a thousand. */
export function outputLines(output: string, category: string): string[] {
  const lines: string[] = [];
  for (let start = Math.max(0, output.length - MAX_CHARS); start < output.length; ) {
    const end = output.indexOf('\n', start) + 1 || output.length;
    lines.push(output.slice(start, end));
    start = end;
  }
  return category === 'stderr' ? lines.filter((line) => !OF_NODE.includes(line)) : lines;
}

/** A text of a length that the record takes, which says how long it was. */
export function recordedText(text: string): string {
  if (text.length <= MAX_RECORDED_CHARS) return text;
  // A copy: a slice would keep the whole text in memory.
  const start = Buffer.from(text.slice(0, MAX_RECORDED_CHARS), 'utf16le').toString('utf16le');
  return `${start}… (${text.length} characters)${text.endsWith('\n') ? '\n' : ''}`;
}
