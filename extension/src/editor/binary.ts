/** As much of a file as shows what it is. */
const LOOKED_AT_BYTES = 8 * 1024;

/** Whether bytes are none of a text: they hold NULs elsewhere than UTF-16 has them. */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT_BYTES);
  if (!head.includes(0) || beginsAsUtf16(head)) return false;
  // Latin text in UTF-16 has a NUL in one byte of two, always the same one.
  const odd = head.filter((_byte, at) => at % 2 === 1);
  const even = head.filter((_byte, at) => at % 2 === 0);
  const isMostly = (half: Uint8Array) => half.filter((byte) => byte === 0).length * 2 > half.length;
  return !((isMostly(odd) && !even.includes(0)) || (isMostly(even) && !odd.includes(0)));
}

function beginsAsUtf16(head: Uint8Array): boolean {
  const isMark = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  // The mark of UTF-32, which editors do not read.
  return isMark && !(head[2] === 0 && head[3] === 0);
}
