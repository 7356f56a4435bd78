/** A path in double quotes, for a command that people are told to run: a shell takes all of it as it is. */
export function inQuotes(path: string, platform: NodeJS.Platform = process.platform): string {
  // On Windows a path holds no quotes, and its backslashes mean themselves.
  return `"${platform === 'win32' ? path : path.replace(/["$`\\]/g, '\\$&')}"`;
}

/** The same, with quotes only where the path needs them. */
export function atPrompt(path: string, platform: NodeJS.Platform = process.platform): string {
  const plain = platform === 'win32' ? /^[\w.:\\/@+-]+$/ : /^[\w.:/@+-]+$/;
  return plain.test(path) ? path : inQuotes(path, platform);
}
