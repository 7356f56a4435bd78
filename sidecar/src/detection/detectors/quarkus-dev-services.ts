import type { ServerKind } from '@devdb/shared/engines';
import type { ServerParts } from '../collector.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import type { Document } from './spring-documents.ts';

/** A container that Quarkus starts in development, on a port that the settings fix. */
export interface DevService {
  readonly what: string;
  /** Of Quarkus, in front of the key; '' for all. */
  readonly profile: string;
  readonly file: string;
  readonly line: number;
  readonly parts: ServerParts;
}

interface Settings {
  property(key: string): { readonly value: string; readonly file: string; readonly line: number } | undefined;
  text(written: string): string;
}

/** `quarkus.datasource.devservices.port`, with a profile in front and the name of another data source inside. */
const PORT = /^(?:%([\w-]+)\.)?(quarkus\.datasource(?:\."?([\w-]+)"?)?)\.devservices\.port$/;
/** What Quarkus calls the account and the database that no settings name. */
const UNNAMED = 'quarkus';

/** Quarkus starts a container for a data source without a URL; only one with a fixed port can be found again. */
export function devServices(own: readonly Document[], settings: Settings): DevService[] {
  const keys = new Set(own.flatMap(({ values }) => [...values.keys()]));
  return [...keys].flatMap((key): DevService[] => {
    const [, profile = '', source = '', name] = PORT.exec(key) ?? [];
    if (source === '') return [];
    const text = (field: string): string | undefined => {
      const keys = [`%${profile || 'dev'}.${source}.${field}`, `${source}.${field}`];
      const written = keys.map((one) => settings.property(one)).find((one) => one !== undefined);
      return written === undefined ? undefined : settings.text(written.value).trim();
    };
    const found = settings.property(key);
    const port = settings.text(found?.value ?? '').trim();
    const kind = engineKindOf(text('db-kind') ?? '');
    const isOff = [text('devservices.enabled'), text('devservices')].includes('false') || text('active') === 'false';
    const hasUrl = ['jdbc.url', 'reactive.url'].some((field) => text(field) !== undefined);
    if (found === undefined || !/^[1-9]\d{0,4}$/.test(port) || isOff || hasUrl || !isContainers(kind)) return [];
    const parts = {
      kind,
      host: 'localhost',
      port,
      user: text('devservices.username') ?? UNNAMED,
      password: text('devservices.password') ?? UNNAMED,
      database: text('devservices.db-name') ?? name ?? UNNAMED,
    };
    return [{ what: key.replace(/\.port$/, ''), profile, file: found.file, line: found.line, parts }];
  });
}

/** SQL Server's container has other accounts. */
function isContainers(kind: ReturnType<typeof engineKindOf>): kind is Exclude<ServerKind, 'mssql'> {
  return kind === 'postgres' || kind === 'mysql2';
}
