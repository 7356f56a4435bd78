const BYTES_PER_LINE = 16;

/** Bytes as lines of an offset, hex digits and the characters that can be shown. */
export function hexDump(hex: string): string {
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += 2 * BYTES_PER_LINE) {
    const bytes = hex.slice(at, at + 2 * BYTES_PER_LINE).match(/../g) ?? [];
    const shown = bytes.map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '.';
    });
    const offset = (at / 2).toString(16).padStart(8, '0');
    lines.push(`${offset}  ${bytes.join(' ').padEnd(3 * BYTES_PER_LINE - 1)}  ${shown.join('')}`);
  }
  return lines.join('\n');
}
