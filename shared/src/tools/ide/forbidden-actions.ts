/**
 * Actions that would get round the user's approvals: each row is a way, with the words for the refusal. Ids are compared
 * without case.
 */
const WAYS: readonly (readonly [ids: RegExp, why: string])[] = [
  [/^devdb\./, "it belongs to DevDB's own commands and questions"],
  [/trust/, 'it is about whom the user trusts'],
  [/tunnel|forward(ed)?-?port|port-?forward|makeport|live-?share/, 'it opens a way into this machine'],
  [/^workbench\.action\.terminal\.(run|send|accept|paste)/, 'it runs text that the question does not show'],
  [/^(repl\.action\.acceptinput|debug\.replacceptinput)/, 'it runs text that the question does not show'],
  [
    /^quickinput\.|accept(selected)?quick(open|pick|input)|^workbench\.action\.quickpick/,
    "it answers a question in the user's place",
  ],
  [/^(notification|notifications)\..*(accept|primary|secondary)/, "it answers a question in the user's place"],
  [/^(runcommands|vscode\.runcommands)$/, 'it runs other actions'],
  [
    /(auto|skip|always|bypass).{0,80}(approv|confirm)|(approv|confirm).{0,80}(auto|skip|always|all)|yolo/,
    'it switches approvals off',
  ],
  [/^workbench\.action\.chat\..*(accept|approve|confirm|tool)/, "it answers a question in the user's place"],
  [/automatictasks|automaticrunning/, 'it lets tasks run by themselves'],
  [
    /(^|\.)(install|uninstall|sideload)|install(extension|specific|vsix|from|another|workspace|web|remote)|extensions\..{0,80}(install|enable|disable)/,
    'it changes which extensions run',
  ],
  [/userdatasync|settingssync|editsessions|continueedit/, 'it sends data elsewhere'],
  [/^workbench\.profiles\.|profiles?\.(switch|import|create|delete|reset)/, 'it exchanges all settings'],
  [/^(_|vscode\.)/, 'it is for extensions alone'],
  [/webview.{0,80}(developer|devtools)|toggledevtools|executescript/, 'it opens the tools of developers'],
];

/** Why an action is not run for an agent, in the middle of a sentence; undefined where it may be asked for. */
export function forbiddenAction(id: string): string | undefined {
  const folded = id.normalize('NFKC').trim().toLowerCase();
  const way = WAYS.find(([ids]) => ids.test(folded));
  return way === undefined ? undefined : `The action ${id} is not run for an agent: ${way[1]}.`;
}
