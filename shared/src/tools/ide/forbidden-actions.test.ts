import { actionWords } from './action-words.ts';
import { forbiddenAction } from './forbidden-actions.ts';

test.each([
  'workbench.trust.configure',
  'workbench.trust.manage',
  'WORKBENCH.TRUST.MANAGE',
  ' workbench.trust.manage ',
  'ｗorkbench.trust.manage',
  'workbench.action.addRootFolderToTrusted',
  'devdb.restart',
  'devdb.addConnection',
  'remote-tunnels.turnOnTunnel',
  'workbench.remote.tunnel.actions.turnOn',
  'remote.forwardedPorts.add',
  'remote.tunnel.forwardCommandPalette',
  'liveshare.start',
  'workbench.action.terminal.runSelectedText',
  'workbench.action.terminal.runActiveFile',
  'workbench.action.terminal.sendSequence',
  'workbench.action.terminal.acceptSelectedSuggestion',
  'workbench.action.terminal.paste',
  'repl.action.acceptInput',
  'quickInput.accept',
  'workbench.action.acceptSelectedQuickOpenItem',
  'notification.acceptPrimaryAction',
  'runCommands',
  'workbench.action.chat.acceptTool',
  'chat.tools.toggleAutoApprove',
  'workbench.action.tasks.manageAutomaticRunning',
  'workbench.extensions.installExtension',
  'workbench.extensions.action.installVSIX',
  'workbench.extensions.action.enableAll',
  'workbench.userDataSync.actions.turnOn',
  'workbench.profiles.actions.switchProfile',
  'vscode.open',
  '_workbench.open',
])('%s would get round the user, and is refused with the reason', (id) => {
  expect(forbiddenAction(id)).toMatch(/is not run for an agent: .+\.$/);
});

test.each([
  'editor.action.formatDocument',
  'editor.action.rename',
  'workbench.action.files.save',
  'workbench.action.closeSidebar',
  'workbench.action.debug.start',
  'git.stage',
  'typescript.restartTsServer',
  'workbench.action.terminal.new',
])('%s may be asked for', (id) => {
  expect(forbiddenAction(id)).toBeUndefined();
});

test.each([
  ['editor.action.formatDocument', 'Format Document'],
  ['git.stage-all_files', 'Stage all files'],
  ['workbench', 'Workbench'],
  ['...', '...'],
])('%s in words is %s', (id, words) => {
  expect(actionWords(id).toLowerCase()).toBe(words.toLowerCase());
});
