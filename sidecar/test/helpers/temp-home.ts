import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newToken } from '../../src/host/token.ts';

/** A temporary home with a token, and project folders beside it. */
export class TempHome {
  readonly base: string;
  readonly home: string;
  token = newToken().open();

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-home-')));
    this.home = join(this.base, '.devdb');
    mkdirSync(this.home, { mode: 0o700 });
    this.writeToken(this.token);
  }

  /** Makes a project's folder and returns its canonical path. */
  project(name: string): string {
    const folder = join(this.base, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  register(entries: Record<string, number>): void {
    writeFileSync(join(this.home, 'mcp.json'), JSON.stringify(entries, null, 2));
  }

  writeToken(token: string): void {
    this.token = token;
    writeFileSync(join(this.home, 'token'), token, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
