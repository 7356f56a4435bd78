import { join } from 'node:path';
import { loadCached } from '@devdb/shared/node/cached-load';

// The child's first file, which loads the rest as compiled by an earlier run: compiling takes longer than searching a
// small project.
loadCached(join(import.meta.dirname, 'detection.js'));
