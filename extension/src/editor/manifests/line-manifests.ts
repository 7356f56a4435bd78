import { isName, names, type ReadManifest } from './manifest.ts';

/** Go's go.mod. What it needs only because others need it is marked as such. */
export const goMod: ReadManifest = (text) => {
  const lines = text.split(/\r?\n/);
  const name = lines.map((line) => /^module\s+"?([^\s"]+)/.exec(line)?.[1]).find(isName);
  let isRequired = false;
  const found = lines.map((line) => {
    if (/^require\s*\($/.test(line.trim())) isRequired = true;
    else if (line.trim() === ')') isRequired = false;
    else if (!line.includes('// indirect')) {
      const single = /^require\s+([^\s(]+)\s+v/.exec(line)?.[1];
      return single ?? (isRequired ? /^\s*([^\s/][^\s]*)\s+v/.exec(line)?.[1] : undefined);
    }
    return undefined;
  });
  return { name, dependencies: names(found) };
};

/** Bundler's Gemfile, and a .gemspec. Both are programs, of which the usual lines are read. */
export const gemfile: ReadManifest = (text) => {
  const lines = text.split(/\r?\n/);
  const gem = /^\s*(?:gem|\w+\.add(?:_development|_runtime)?_dependency)[\s(]+["']([^"'\s]+)["']/;
  const name = lines.map((line) => /^\s*\w+\.name\s*=\s*["']([^"'\s]+)["']/.exec(line)?.[1]).find(isName);
  return { name, dependencies: names(lines.map((line) => gem.exec(line)?.[1])) };
};

/** Gradle's build files. They are programs, of which the usual lines are read. */
export const gradle: ReadManifest = (text) => {
  const lines = withoutBlockComments(text).split(/\r?\n/).map(withoutLineComment);
  const name = lines.map((line) => /^\s*rootProject\.name\s*=\s*["']([^"'\s]+)["']/.exec(line)?.[1]).find(isName);
  return { name, dependencies: names(lines.filter((line) => CONFIGURATION.test(line)).map(gradleDependency)) };
};

const CONFIGURATION =
  /^\s*\w{0,60}(?:implementation|api|compile|compileOnly|runtime|runtimeOnly|annotationProcessor|kapt|ksp|classpath)\b/i;

function gradleDependency(line: string): string | undefined {
  const [, project] = /\bproject\s*\(\s*(?:path\s*[:=]\s*)?["']([^"'\s]+)["']/.exec(line) ?? [];
  if (project !== undefined) return project;
  const [, group, name] =
    /group\s*[:=]\s*["']([^"'\s]+)["']\s*,\s*name\s*[:=]\s*["']([^"'\s]+)["']/.exec(line) ??
    /["']([^"':\s]+):([^"':\s]+)(?::[^"']*)?["']/.exec(line) ??
    [];
  return group === undefined ? undefined : `${group}:${name}`;
}

function withoutBlockComments(text: string): string {
  const [first = '', ...others] = text.split('/*');
  return [first, ...others.map((part) => part.split('*/').slice(1).join('*/'))].join(' ');
}

function withoutLineComment(line: string): string {
  return line.replace(/(^|\s)\/\/.*$/, '');
}
