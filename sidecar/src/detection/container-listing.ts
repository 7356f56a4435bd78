import { z } from 'zod';
import { MAX_CONTAINERS } from './limits.ts';

/** A container that runs now: its labels, and its ports as the daemon lists them. */
export interface RunningContainer {
  readonly labels: ReadonlyMap<string, string>;
  readonly ports: readonly RunningPort[];
}

const runningPort = z.object({
  IP: z.string().optional(),
  PrivatePort: z.number(),
  PublicPort: z.number().int().min(1).max(65_535).optional(),
  Type: z.string(),
});
export type RunningPort = z.infer<typeof runningPort>;

const listing = z
  .array(z.object({ Labels: z.record(z.string(), z.string()).nullish(), Ports: z.array(runningPort).nullish() }))
  .max(MAX_CONTAINERS);

/** What a daemon lists. Loaded only where one answered, because the library that checks it takes long to load. */
export function readListing(json: string): readonly RunningContainer[] {
  return listing.parse(JSON.parse(json)).map(({ Labels, Ports }) => ({
    labels: new Map(Object.entries(Labels ?? {})),
    ports: Ports ?? [],
  }));
}
