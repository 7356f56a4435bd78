import type { Detector } from './detector.ts';
import { compose } from './detectors/compose.ts';
import { databaseUrl } from './detectors/database-url.ts';
import { ddev } from './detectors/ddev.ts';
import { devdbrc } from './detectors/devdbrc.ts';
import { sqliteFiles } from './detectors/sqlite-files.ts';
import { supabase } from './detectors/supabase.ts';

/** Every detector, in the order in which doctor tells of them. A new one is one file and one line. */
export const DETECTORS = [
  devdbrc,
  databaseUrl,
  ddev,
  supabase,
  compose,
  sqliteFiles,
] as const satisfies readonly Detector[];
