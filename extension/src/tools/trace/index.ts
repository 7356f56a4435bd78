// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { dapCompare } from './dap_compare.ts';
import { dapExceptions } from './dap_exceptions.ts';
import { dapFilter } from './dap_filter.ts';
import { dapLogs } from './dap_logs.ts';
import { dapSearch } from './dap_search.ts';
import { dapStats } from './dap_stats.ts';
import { dapSummary } from './dap_summary.ts';
import { dapTimeline } from './dap_timeline.ts';
import { debugTracker } from './debug_tracker.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset trace that runs in the editor. */
export const handlers = {
  dap_compare: dapCompare,
  dap_exceptions: dapExceptions,
  dap_filter: dapFilter,
  dap_logs: dapLogs,
  dap_search: dapSearch,
  dap_stats: dapStats,
  dap_summary: dapSummary,
  dap_timeline: dapTimeline,
  debug_tracker: debugTracker,
} satisfies HandlersOfSet<'editor', 'trace', EditorContext>;
