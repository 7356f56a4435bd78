import { isPlain, type PlainText, pathText, plain } from '@devdb/shared/plain-text';

/** A path in double quotes, for a command that a message suggests, so that a shell takes it literally. */
export function inQuotes(path: string, platform: NodeJS.Platform = process.platform): PlainText {
  // On Windows a path contains no quotes, and backslashes are literal.
  const quoted = platform === 'win32' ? path : path.replace(/["$`\\]/g, '\\$&');
  if (isPlain(quoted)) return plain`"${quoted}"`;
  return platform === 'win32' ? plain`"${pathText(path)}"` : printed(path);
}

/** The same, quoted only where the path needs it. */
export function atPrompt(path: string, platform: NodeJS.Platform = process.platform): PlainText {
  const usual = platform === 'win32' ? /^[\w.:\\/@+-]+$/ : /^[\w.:/@+-]+$/;
  return usual.test(path) && isPlain(path) ? path : inQuotes(path, platform);
}

/** A path with line breaks or invisible characters: a shell expression builds it from its bytes. */
function printed(path: string): PlainText {
  const bytes = [...Buffer.from(path)].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[\w./@+-]/.test(char) && byte < 128 ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  const format = bytes.join('');
  return isPlain(format) ? plain`"$(printf '${format}')"` : pathText(path);
}
