import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder the server may write to, as the corpus expects. */
export class CorpusFolder {
  readonly path = mkdtempSync(join(realpathSync(tmpdir()), 'devdb-corpus-'));

  constructor() {
    // The server runs as a different user.
    chmodSync(this.path, 0o777);
  }

  files(): readonly string[] {
    return readdirSync(this.path);
  }

  empty(): void {
    for (const name of this.files()) rmSync(join(this.path, name), { recursive: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
