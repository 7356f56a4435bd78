import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { npmPackage } from '../../fixtures/labs/npm-cache.ts';
import { ROOT, runNode, runScript } from '../../fixtures/labs/steps.ts';
import { bundleSidecar } from '../../sidecar/build/bundle.ts';
import { platformKey } from '../../sidecar/src/host/native.ts';
import { bundleExtension } from './bundle.ts';

const VSCE_VERSION = '4.1.0';

/** The editor's name of a platform, and the driver's. */
const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'alpine-x64': 'linuxmusl-x64',
  'alpine-arm64': 'linuxmusl-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64',
  'win32-arm64': 'win32-arm64',
};

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });

/** Writes one .vsix for every target named on the command line, or for this machine's. */
async function main(args: readonly string[]): Promise<number> {
  const targets = args.length > 0 ? args : [thisTarget()];
  const vsce = join(await npmPackage('@vscode/vsce', VSCE_VERSION), 'vsce');
  for (const target of targets) {
    const file = await packageFor(target, vsce);
    const megabytes = (statSync(file).size / 1024 / 1024).toFixed(2);
    process.stdout.write(`${file} (${megabytes} MB)\n`);
  }
  return 0;
}

function thisTarget(): string {
  const found = Object.entries(TARGETS).find(([, platform]) => platform === platformKey());
  if (found === undefined)
    throw new Error(`No package is made for ${platformKey()}; name one of ${Object.keys(TARGETS).join(', ')}.`);
  return found[0];
}

async function packageFor(target: string, vsce: string): Promise<string> {
  const platform = TARGETS[target];
  if (platform === undefined) throw new Error(`No target ${target}; there are ${Object.keys(TARGETS).join(', ')}.`);
  const stage = await stageFor(target, platform);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8')));
  const file = join(ROOT, 'extension', 'dist', `${manifest.name}-${manifest.version}-${target}.vsix`);
  mkdirSync(join(ROOT, 'extension', 'dist'), { recursive: true });
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--target',
    target,
    '--out',
    file,
  ];
  const { code, output } = await runNode([vsce, 'package', ...options], { cwd: stage });
  if (code !== 0) throw new Error(`vsce could not write the package:\n${output}`);
  return file;
}

/** A folder with exactly what belongs in the package, so that no list of exceptions is needed. */
async function stageFor(target: string, platform: string): Promise<string> {
  const stage = join(ROOT, '.cache', 'package', target);
  rmSync(stage, { recursive: true, force: true });
  const sidecarDir = join(ROOT, '.cache', 'package', `${target}-sidecar`);
  await bundleSidecar({ outDir: sidecarDir, platform });
  await bundleExtension({ outDir: join(stage, 'dist'), sidecarDir });
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, 'extension', 'package.json'), 'utf8')));
  // Everything is bundled, so the manifest's workspace dependencies do not exist at run time.
  const { dependencies: _bundled, devDependencies: _unused, private: _private, ...published } = manifest;
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  cpSync(join(ROOT, 'extension', 'schemas'), join(stage, 'schemas'), { recursive: true });
  cpSync(join(ROOT, 'extension', 'media', 'devdb.svg'), join(stage, 'media', 'devdb.svg'));
  // The path of the README's picture, which must also work at the top of the repository.
  cpSync(join(ROOT, 'extension', 'media'), join(stage, 'extension', 'media'), { recursive: true });
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) copyFileSync(join(ROOT, file), join(stage, file));
  return stage;
}

await runScript(main);
