import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { namesD1, WRANGLER } from '../worker-files.ts';

const NAME = 'd1';
/** Where Cloudflare's tool keeps the local copies. */
const FOLDER = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject';

/** The local file of a Cloudflare D1 database. The remote one has no address that a database tool could reach. */
export const d1: Detector = {
  name: NAME,
  looksFor: [`d1_databases in wrangler.toml, wrangler.json, wrangler.<environment>.jsonc; ${FOLDER}/*.sqlite`],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      for (const name of app.files(WRANGLER)) {
        // Several are for the same Worker, with the same local files.
        if (await readFile(app, name, collector, signal)) break;
      }
    }
    return collector.detection;
  },
};

async function readFile(app: AppFolder, name: string, collector: Collector, signal: AbortSignal): Promise<boolean> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  const line = namesD1(text);
  if (line === undefined) return false;
  const listing = await app.project.list(app.path(FOLDER), { files: /^[0-9a-f]+\.sqlite$/ }, signal);
  const files = listing.state === 'listed' ? listing.items.map((item) => item.name) : [];
  const [only] = files;
  if (only === undefined) {
    const reason = 'its D1 database has no local file yet; `wrangler d1 migrations apply <name> --local` makes one';
    collector.skip(file, line, reason);
  } else if (files.length > 1) {
    collector.skip(file, line, `its D1 databases have ${files.length} local files in ${FOLDER}; name one in .devdbrc`);
  } else collector.file(app, { what: 'db', file, line }, `${FOLDER}/${only}`);
  return true;
}
