import type { RegistryEntries } from '../registry/read-registry.ts';
import { type Failure, notOpen } from './tool-results.ts';

/** Where a call goes. */
export interface Target {
  readonly port: number;
  readonly root: string;
  /** The root as the caller wrote it. */
  readonly asked: string;
  readonly entries: RegistryEntries;
}

/** What connections are kept under: one that was proven for a project serves that project alone. */
export function keyOf({ port, root }: Pick<Target, 'port' | 'root'>): string {
  return `${port} ${root}`;
}

/** Another project answers where this one was looked for. */
export function targetNotOpen({ asked, root, entries }: Target): Failure {
  return notOpen(asked, root, Object.keys(entries));
}
