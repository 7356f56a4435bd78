import type { RegistryEntries } from '../registry/read-registry.ts';
import { type Failure, notOpen } from './tool-results.ts';

/** The destination of a call. */
export interface Target {
  readonly port: number;
  readonly root: string;
  /** The root as the caller wrote it. */
  readonly asked: string;
  readonly entries: RegistryEntries;
}

/** The key of a kept link: one that was proven for a project serves that project alone. */
export function keyOf({ port, root }: Pick<Target, 'port' | 'root'>): string {
  return `${port} ${root}`;
}

/** Another project answers at the port of the one we want. */
export function targetNotOpen({ asked, root, entries }: Target): Failure {
  return notOpen(asked, root, Object.keys(entries));
}
