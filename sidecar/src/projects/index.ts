import type { Detector } from './detector.ts';
import { databaseUrl } from './detectors/database-url.ts';
import { devdbrc } from './detectors/devdbrc.ts';
import { sqliteFiles } from './detectors/sqlite-files.ts';

/** Every detector, in the order in which doctor tells of them. A new one is one file and one line. */
export const DETECTORS = [devdbrc, databaseUrl, sqliteFiles] as const satisfies readonly Detector[];
