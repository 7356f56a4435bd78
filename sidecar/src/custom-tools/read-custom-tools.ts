import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_PROJECT_TOOL_FILE_BYTES, MAX_PROJECT_TOOLS } from '@devdb/shared/limits';
import { PROJECT_TOOL_ENDING, PROJECT_TOOLS_FOLDER } from '@devdb/shared/tools/project-tool-file';
import { ProjectView } from '../detection/project-view.ts';
import type { CustomTool, ReadTools, ToolProblem } from './custom-tool.ts';
import { PROJECT_TOOLS_READ_MS } from './limits.ts';
import { type ParsedFile, parseToolFile } from './parse-tool-file.ts';
import { withoutClashes } from './tool-names.ts';

/** A project without custom tools. */
export const NO_PROJECT_TOOLS: ReadTools = { tools: [], problems: [] };

/** Reads a project's custom tools. Only reads: within limits, inside the project, without running anything. */
export async function readProjectTools(
  projectRoot: string,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<ReadTools> {
  const began = now();
  const view = await ProjectView.open(projectRoot, Date.now);
  if (view === undefined) return NO_PROJECT_TOOLS;
  const listing = await view.list(PROJECT_TOOLS_FOLDER, { files: /\.ya?ml$/i }, signal);
  if (listing.state === 'absent') return NO_PROJECT_TOOLS;
  if (listing.state === 'refused') {
    return { tools: [], problems: [{ file: PROJECT_TOOLS_FOLDER, reason: listing.reason }] };
  }
  const names = listing.items.map(({ name }) => name);
  const files = names.filter((name) => name.endsWith(PROJECT_TOOL_ENDING));
  const problems: ToolProblem[] = folderProblems(names, files.length, listing.cut);
  const tools: CustomTool[] = [];
  for (const name of files.slice(0, MAX_PROJECT_TOOLS)) {
    // Reading does not give way by itself, and other calls are waiting.
    await nextTurn();
    signal.throwIfAborted();
    if (now() - began > PROJECT_TOOLS_READ_MS) {
      problems.push({
        file: PROJECT_TOOLS_FOLDER,
        reason: `takes too long to read; ${name} and those after it are left out`,
      });
      break;
    }
    const parsed = await readOne(view, `${PROJECT_TOOLS_FOLDER}/${name}`);
    if ('tool' in parsed) tools.push(parsed.tool);
    else problems.push(...parsed.problems);
  }
  const kept = withoutClashes(tools);
  return { tools: kept.tools, problems: [...problems, ...kept.problems] };
}

async function readOne(view: ProjectView, file: string): Promise<ParsedFile> {
  const read = await view.read(file);
  if (read.state === 'absent') return { problems: [{ file, reason: 'is a link to a missing file' }] };
  if (read.state === 'refused') return { problems: [{ file, reason: read.reason }] };
  if (Buffer.byteLength(read.text) > MAX_PROJECT_TOOL_FILE_BYTES) {
    const reason = `is larger than ${MAX_PROJECT_TOOL_FILE_BYTES / 1024} KiB, too large for a tool`;
    return { problems: [{ file, reason }] };
  }
  return parseToolFile(file, read.text);
}

function folderProblems(names: readonly string[], files: number, cut: boolean): ToolProblem[] {
  const problems = names
    .filter((name) => !name.endsWith(PROJECT_TOOL_ENDING))
    .slice(0, MAX_PROJECT_TOOLS)
    .map((name) => ({
      file: `${PROJECT_TOOLS_FOLDER}/${name}`,
      reason: `is not read: the name of a tool's file ends in ${PROJECT_TOOL_ENDING}`,
    }));
  if (files > MAX_PROJECT_TOOLS || cut) {
    const reason = `holds more than ${MAX_PROJECT_TOOLS} tools; only the first ones by name are read`;
    problems.push({ file: PROJECT_TOOLS_FOLDER, reason });
  }
  return problems;
}
