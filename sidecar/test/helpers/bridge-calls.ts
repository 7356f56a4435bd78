/** A call of the HTTP dialect: what a bridge sends, what the tool gives, and what stands in `status` at /mcp. */
export interface BridgeCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly status: unknown;
}

const list = (name: string, items: readonly unknown[]) => ({
  data: { [name]: items, truncated: false },
  status: items,
});
const text = (name: string, said: string) => ({ data: { [name]: said }, status: said });
const object = (value: object) => ({ data: value, status: value });
const json = (value: object) => ({ data: value, status: JSON.stringify(value) });

const HELPER = { pathInProject: 'src/utils/helper.js' };
const HELPER_PATHS = { path: '/projects/my/src/utils/helper.js', relativePath: 'src/utils/helper.js' };
const PLACE = { ...HELPER, line: 0, character: 12 };
const RANGE = { startLine: 0, startCharacter: 0, endLine: 2, endCharacter: 1 };

/** One of each tool of the dialect, as its description shows them. */
export const SEED_CALLS: readonly BridgeCall[] = [
  { tool: 'get_open_in_editor_file_text', input: {}, ...text('text', "console.log('Hello World');\n") },
  { tool: 'get_open_in_editor_file_path', input: {}, ...text('path', '/projects/my/src/index.js') },
  { tool: 'replace_selected_text', input: { text: "console.log('New Text');" }, ...text('result', 'ok') },
  { tool: 'replace_current_file_text', input: { text: '// New file content\n' }, ...text('result', 'ok') },
  { tool: 'open_file_in_editor', input: { filePath: 'src/index.js' }, ...text('result', 'file is opened') },
  { tool: 'get_file_text_by_path', input: HELPER, ...object({ content: 'function helper() {}', ...HELPER_PATHS }) },
  {
    tool: 'replace_file_text_by_path',
    input: { ...HELPER, text: 'function helper() {}' },
    ...object({ ...HELPER_PATHS, size: 35, operationTimeMs: 42 }),
  },
  {
    tool: 'create_new_file_with_text',
    input: { pathInProject: 'src/utils/newFile.js', text: '// New' },
    ...object({ path: '/projects/my/src/utils/newFile.js', relativePath: 'src/utils/newFile.js', operationTimeMs: 38 }),
  },
  {
    tool: 'list_files_in_folder',
    input: { pathInProject: 'src/utils' },
    ...list('entries', [{ name: 'helper.js', type: 'file', path: 'src/utils/helper.js' }]),
  },
  {
    tool: 'search_in_files_content',
    input: { searchText: 'function helper' },
    ...list('files', [{ path: 'src/utils/helper.js', absolutePath: HELPER_PATHS.path }]),
  },
  {
    tool: 'find_files_by_name_substring',
    input: { nameSubstring: 'helper' },
    ...list('files', [{ path: 'src/utils/helper.js', name: 'helper.js', directory: 'src/utils' }]),
  },
  {
    tool: 'get_symbols_in_file',
    input: HELPER,
    ...json({ symbols: [{ name: 'helper', kind: 'Function', range: RANGE }] }),
  },
  { tool: 'find_references', input: PLACE, ...json({ references: [{ path: 'src/index.js', line: 3, character: 4 }] }) },
  {
    tool: 'refactor_code_at_location',
    input: { ...PLACE, refactorType: 'rename', options: { newName: 'helperFunction' } },
    ...json({ success: true, message: 'Successfully renamed to helperFunction' }),
  },
  {
    tool: 'toggle_debugger_breakpoint',
    input: { filePathInProject: 'src/utils/helper.js', line: 5 },
    ...text('result', 'Breakpoint added'),
  },
  {
    tool: 'get_debugger_breakpoints',
    input: {},
    ...list('breakpoints', [
      { path: HELPER_PATHS.path, line: 5 },
      { path: '/projects/my/src/index.js', line: 12 },
    ]),
  },
  { tool: 'get_run_configurations', input: {}, ...list('configurations', ['Run Dev Server', 'Run Tests']) },
  {
    tool: 'run_configuration',
    input: { configName: 'Run Dev Server' },
    ...text('result', 'Run configuration started'),
  },
  { tool: 'get_terminal_text', input: {}, ...text('text', '> npm install\nAdded 125 packages in 3.5s') },
  { tool: 'execute_terminal_command', input: { command: 'npm list --depth=0' }, ...text('text', 'my-project@1.0.0') },
  { tool: 'execute_command_with_output', input: { command: 'node -v' }, ...text('text', 'v16.14.2') },
  { tool: 'get_command_output', input: {}, ...object({ status: 'completed', output: 'v16.14.2' }) },
  { tool: 'wait', input: { milliseconds: 3000 }, ...text('result', 'ok') },
  {
    tool: 'get_project_vcs_status',
    input: {},
    ...list('changes', [
      { path: 'src/utils/helper.js', type: 'MODIFIED' },
      { path: 'src/new-file.js', type: 'ADDED' },
    ]),
  },
  {
    tool: 'find_commit_by_message',
    input: { text: 'fix bug' },
    ...list('commits', ['a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8']),
  },
  { tool: 'get_project_modules', input: {}, ...list('modules', ['main', 'auth', 'api']) },
  { tool: 'get_project_dependencies', input: {}, ...list('dependencies', ['express', 'react', 'lodash']) },
  {
    tool: 'list_available_actions',
    input: {},
    ...list('actions', [{ id: 'format.document', text: 'Format Document' }]),
  },
  { tool: 'execute_action_by_id', input: { actionId: 'format.document' }, ...text('result', 'ok') },
];
