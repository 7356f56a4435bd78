/** How files of the kinds that every browser draws begin, in hex. SVG is no binary, and is shown as the text it is. */
const STARTS = [
  [/^89504e470d0a1a0a/i, 'image/png'],
  [/^ffd8ff/i, 'image/jpeg'],
  [/^47494638(?:37|39)61/i, 'image/gif'],
  [/^52494646.{8}57454250/i, 'image/webp'],
  [/^.{8}6674797061766966/i, 'image/avif'],
  [/^424d.{8}0{8}/i, 'image/bmp'],
] as const;

/** The kind of image that some bytes are, given as hex; undefined for what is none. */
export function imageType(hex: string): string | undefined {
  return STARTS.find(([start]) => start.test(hex))?.[1];
}
