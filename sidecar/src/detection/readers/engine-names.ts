import { ENGINE_KINDS, type EngineKind } from '@devdb/shared/engines';
import { ENGINE_FACTS } from '../../engines/engine-facts.ts';

const KINDS: ReadonlyMap<string, EngineKind> = new Map(
  ENGINE_KINDS.flatMap((kind) => ENGINE_FACTS[kind].driverNames.map((name) => [name, kind] as const)),
);

/** The engine behind a framework's name for a driver, dialect or adapter. */
export function engineKindOf(name: string): EngineKind | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^pdo[-_]/, '')
    .replaceAll(/[-_]/g, '');
  return KINDS.get(plain);
}
