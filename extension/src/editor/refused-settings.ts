import { isCredentialName } from '@devdb/shared/credentials';

/** Permissions, and which programs run with which parameters: only the user changes those. */
const REFUSED = [
  /^(devdb|security|chat|mcp|remote|extensions|update|settingsSync|accessibility\.signals|telemetry|task|tasks|launch|inputs)(\.|$)/i,
  /auto-?(approv|accept)|yolo|trust|sandbox|permission|unsafe/i,
  /(^|[._-])allow|Allow/,
  /^(http|https)\.|proxy|certificate|strictSSL/i,
  /^terminal\.(external|integrated\.(profiles?|defaultProfile|automation|env|shell(?!Integration\.(enabled|decorations))|cwd|allow|enableP|ipc|tabs\.defaultI))/i,
  /^terminal(\.integrated)?$/i,
  // What runs: a program, its place, its parameters, its environment, what it is preceded by.
  /(path|paths|command|commands|cmd|executable|executables|binary|binaries|interpreter|runtime|runtimeArgs|execArgv|nodeOptions|program|tsdk|home|args|arguments|argv|vmargs|params|flags|env|environment|envFile|envVars|extraEnv|shell|hooks?|preLaunchTask|plugins?|server|scriptRunner|alternateTools|pluginProbeLocations|schemas|extensionsPath|template|templates|compiler|debugger|adapter)$/i,
  /(executable|command|interpreter|binary|program|toolchain)(path|line|args|s)?(\.|$)|[._-](path|env|args|shell)(\.|$)/i,
  /(Path|Command|Executable|Interpreter|Binary|Env|EnvVars|Args|Arguments|Shell)s?(\.|$)/,
  /^(git|npm|eslint|prettier)\.(.*(hook|exec|command|path|node|config)|nodePath|runtime)/i,
  /^workbench\.(trusted|externalUri|externalBrowser|settings\.applyToAllProfiles|enableExperiments|localHistory)/i,
  /^(window|application)\.(confirm|shellEnvironment)/i,
];

/** Whether a setting is for the user alone to change, by its name. */
export function isRefused(key: string): boolean {
  return isCredentialName(key) || REFUSED.some((pattern) => pattern.test(key));
}
