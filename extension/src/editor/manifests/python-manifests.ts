import { isName, names, type ReadManifest, UnreadManifest } from './manifest.ts';

/** The package that a line of requirements names; nothing for an option, a comment or an address. */
export function requirementName(line: string): string | undefined {
  return /^\s*([A-Za-z0-9][\w.-]*)\s*(?:$|[[(@<>=!~;,#\s])/.exec(line)?.[1];
}

/** pip's requirements.txt. */
export const requirements: ReadManifest = (text) => ({
  dependencies: names(text.split(/\r?\n/).map(requirementName)),
});

/** setuptools' setup.cfg. */
export const setupCfg: ReadManifest = (text) => {
  const values = iniValues(text);
  const lines = [...values].flatMap(([key, found]) =>
    key === 'options.install_requires' || key.startsWith('options.extras_require.') ? found : [],
  );
  const [name] = values.get('metadata.name') ?? [];
  return { name: isName(name) ? name : undefined, dependencies: names(lines.map(requirementName)) };
};

/** What only running it would tell. */
export const setupPy: ReadManifest = () => {
  throw new UnreadManifest('is a program, which is not run');
};

/** The lines of each value, by section and key. */
function iniValues(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let section = '';
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[([^\]]+)\]/.exec(line)?.[1];
    const pair = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (header !== undefined) {
      section = header;
      lines = [];
    } else if (pair !== null) {
      lines = pair[2] === undefined || pair[2] === '' ? [] : [pair[2]];
      values.set(`${section}.${pair[1]}`, lines);
    } else if (/^\s+[^\s#;]/.test(line)) lines.push(line.trim());
  }
  return values;
}
