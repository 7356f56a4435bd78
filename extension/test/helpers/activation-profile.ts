import * as z from 'zod';
import type { Window } from './editor-lab.ts';

const FIRST_SECONDS_MS = 5_000;
/** A longer sample was not spent here: the extension host had to wait for a CPU. */
const LONGEST_SAMPLE_US = 1_000;

const profileSchema = z.object({
  nodes: z.array(
    z.object({ id: z.int(), callFrame: z.object({ url: z.string() }), children: z.array(z.int()).optional() }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});

/** Milliseconds of the extension host's first five seconds that are DevDB's. The editor runs with DEVDB_LAB_PROFILE. */
export async function activationMs(window: Window): Promise<number> {
  const profile = await window.run(async (vscode, ms) => {
    await new Promise((resolve) => setTimeout(resolve, ms - process.uptime() * 1000));
    return vscode.commands.executeCommand('devdb-lab.profile');
  }, FIRST_SECONDS_MS);
  return timeIn(profileSchema.parse(profile), '/devdb.devdb-');
}

/** Milliseconds of the samples with a function of these files anywhere on the stack. */
function timeIn({ nodes, samples, timeDeltas }: z.infer<typeof profileSchema>, files: string): number {
  const inside = new Set<number>();
  const children = new Map(nodes.map(({ id, children: below = [] }) => [id, below]));
  const mark = (id: number): void => {
    inside.add(id);
    for (const child of children.get(id) ?? []) mark(child);
  };
  for (const { id, callFrame } of nodes) if (callFrame.url.includes(files) && !inside.has(id)) mark(id);
  const spent = (index: number) => Math.min(timeDeltas[index] ?? 0, LONGEST_SAMPLE_US);
  const microseconds = samples.reduce((sum, id, index) => sum + (inside.has(id) ? spent(index) : 0), 0);
  return microseconds / 1000;
}
