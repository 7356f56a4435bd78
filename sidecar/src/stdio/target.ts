import type { RegistryEntries } from '../registry/read-registry.ts';

/** Where a call goes. */
export interface Target {
  readonly port: number;
  readonly root: string;
  /** The root as the caller wrote it. */
  readonly asked: string;
  readonly entries: RegistryEntries;
}
