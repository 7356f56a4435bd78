/** A child's answer about its statement's usage, as eight-byte numbers. */
const FIELDS = ['statement', 'cpuMs', 'wallMs', 'memoryBytes', 'temporaryBytes'] as const;
const FIELD_BYTES = 8;

export const USAGE_BYTES = FIELDS.length * FIELD_BYTES;

/** `statement` counts from one; zero before the first. */
export type UsageAnswer = Readonly<Record<(typeof FIELDS)[number], number>>;

export function writeUsage(target: Buffer, usage: UsageAnswer): void {
  for (const [place, field] of FIELDS.entries()) target.writeDoubleLE(usage[field], place * FIELD_BYTES);
}

/** The answer at the start of the received bytes. */
export function readUsage(bytes: Buffer): UsageAnswer {
  const field = (name: (typeof FIELDS)[number]) => bytes.readDoubleLE(FIELDS.indexOf(name) * FIELD_BYTES);
  return {
    statement: field('statement'),
    cpuMs: field('cpuMs'),
    wallMs: field('wallMs'),
    memoryBytes: field('memoryBytes'),
    temporaryBytes: field('temporaryBytes'),
  };
}
