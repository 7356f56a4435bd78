import type { AppFolder } from './app-folder.ts';

/** What writes a program to another folder before it runs. */
const BUILT = /"(?:@babel\/cli|babel-cli|webpack|rollup|esbuild|tsup|parcel|vite|electron-vite|@vercel\/ncc)"/;

/** Whether a script may run in another folder than its own, from which its paths then count. */
export async function isBuiltElsewhere(app: AppFolder): Promise<boolean> {
  const read = await app.read('package.json');
  return read.state !== 'text' || BUILT.test(read.text);
}
