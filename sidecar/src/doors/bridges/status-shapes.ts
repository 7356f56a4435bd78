import { encodeData } from '@devdb/shared/rows-text';
import type { ToolDefinition } from '@devdb/shared/tools';

/** What `status` holds in this dialect: a text, a list, an object, or the JSON text of one. */
type Shape = 'text' | 'list' | 'object' | 'json';

/** The tools of the dialect, whose clients know them by these shapes. */
const SHAPES: Readonly<Record<string, Shape>> = {
  get_open_in_editor_file_text: 'text',
  get_open_in_editor_file_path: 'text',
  replace_selected_text: 'text',
  replace_current_file_text: 'text',
  open_file_in_editor: 'text',
  get_file_text_by_path: 'object',
  replace_file_text_by_path: 'object',
  create_new_file_with_text: 'object',
  list_files_in_folder: 'list',
  search_in_files_content: 'list',
  find_files_by_name_substring: 'list',
  get_symbols_in_file: 'json',
  find_references: 'json',
  refactor_code_at_location: 'json',
  toggle_debugger_breakpoint: 'text',
  get_debugger_breakpoints: 'list',
  get_run_configurations: 'list',
  run_configuration: 'text',
  get_terminal_text: 'text',
  execute_terminal_command: 'text',
  execute_command_with_output: 'text',
  get_command_output: 'object',
  wait: 'text',
  get_project_vcs_status: 'list',
  find_commit_by_message: 'list',
  get_project_modules: 'list',
  get_project_dependencies: 'list',
  list_available_actions: 'list',
  execute_action_by_id: 'text',
};

/** A tool's answer as the dialect has it: the one field that counts, where it is a text or a list. */
export function statusOf(tool: Pick<ToolDefinition, 'name' | 'text'>, data: unknown): unknown {
  const shape = SHAPES[tool.name] ?? 'object';
  if (shape === 'object') return data;
  if (shape === 'json') return encodeData(data);
  const isMeant = (value: unknown) => (shape === 'list' ? Array.isArray(value) : typeof value === 'string');
  const fields = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const named = fields.filter(([name]) => 'field' in tool.text && name === tool.text.field);
  return [...named, ...fields].find(([, value]) => isMeant(value))?.[1] ?? encodeData(data);
}

/** The same for bridges that hand it on as the text it has to be. */
export function statusText(tool: Pick<ToolDefinition, 'name' | 'text'>, data: unknown): string {
  const status = statusOf(tool, data);
  return typeof status === 'string' ? status : encodeData(status);
}
