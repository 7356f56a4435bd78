import type { AppFolder } from './app-folder.ts';
import type { Collector, Place } from './collector.ts';
import type { Dsn } from './readers/dsn.ts';

/** Adds the database of a data source name; relative files count from the application's folder. */
export async function addDsn(collector: Collector, app: AppFolder, place: Place, dsn: Dsn): Promise<void> {
  if ('url' in dsn) await collector.url(app, place, dsn.url, [app.absolute()]);
  else if ('path' in dsn) collector.file(app, place, dsn.path);
  else collector.server(app, place, dsn);
}
