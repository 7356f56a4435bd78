import { runsPrograms } from './program-files.ts';

test.each([
  '.git/hooks/pre-commit',
  '.git/config',
  '.GIT/config',
  'deep/sub/.git/config',
  '.git',
  '.git./config',
  '.git ./config',
  '.g\u200cit/config',
  'GIT~1/hooks/post-checkout',
  '.git::$INDEX_ALLOCATION/config',
  '.vscode/tasks.json',
  'packages/a/.vscode/settings.json',
  '.devcontainer/devcontainer.json',
  '.devdb/tools/x.meta.yaml',
  '.mcp.json',
  'sub/.mcp.json',
  '.devdbrc',
  '.envrc',
  '.husky/pre-push',
  '.claude/settings.json',
  'Shop.code-workspace',
])('%s makes programs run', (path) => {
  expect(runsPrograms(path)).toBe(true);
});

test.each(['src/a.ts', '.gitignore', '.github/notes.md', 'git/config', 'docs/.vscode.md', 'a.git', 'vscode/x.json'])(
  '%s is a file like others',
  (path) => {
    expect(runsPrograms(path)).toBe(false);
  },
);
