import { openDocument, textOnDisk } from '../editor/file-text.ts';
import { readProjectFile } from '../editor/foreign-file.ts';
import { MAX_TEXT_FILE_BYTES } from '../editor/limits.ts';
import { existingPath, type ProjectPath } from '../editor/paths.ts';
import { STOP_LINES_AROUND } from './limits.ts';

const MAX_LINE_CHARS = 200;
/** The reading ends by itself: the file's size is limited. */
const never = new AbortController().signal;

/**
 * A line with those around it, of a file of the project. Undefined where there is no such line or no text. The file is
 * not opened: at a stop the editor's window is busy showing it.
 */
export async function sourceLines(root: string, path: string, line: number): Promise<string | undefined> {
  const lines = (await textOf(root, path))?.split(/\r\n?|\n/) ?? [];
  if (line < 1 || line > lines.length) return undefined;
  const first = Math.max(1, line - STOP_LINES_AROUND);
  const shown = lines.slice(first - 1, line + STOP_LINES_AROUND);
  return shown.map((text, at) => sourceLine(text, first + at, first + at === line)).join('\n');
}

function sourceLine(text: string, number: number, isHere: boolean): string {
  return `${isHere ? '>' : ' '}${number}| ${text.slice(0, MAX_LINE_CHARS)}`;
}

async function textOf(root: string, path: string): Promise<string | undefined> {
  try {
    const file = existingPath(root, path);
    return openDocument(file)?.getText() ?? (await textOfDisk(file));
  } catch {
    // Outside the project, gone, or no text: the place is reported without its text.
    return undefined;
  }
}

/** Other encodings than UTF-8 are the editor's to know. */
async function textOfDisk(file: ProjectPath): Promise<string> {
  const bytes = await readProjectFile(file, MAX_TEXT_FILE_BYTES, never);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // It is in another one.
  }
  return textOnDisk(file, undefined, never);
}
