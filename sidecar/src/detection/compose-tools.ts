import type { ComposeService } from './compose-service.ts';

/** Programs that applications run beside themselves, each with a database of its own. */
const TOOLS: ReadonlySet<string> = new Set([
  'airflow',
  'authentik',
  'grafana',
  'hydra',
  'keycloak',
  'kong',
  'kratos',
  'metabase',
  'sonarqube',
  'temporal',
  'zitadel',
]);

/** Programs in which people look at any database: which one they are given says nothing of the application. */
const CONSOLES =
  /^(adminer|beekeeper\w*|bytebase|cloudbeaver|dbgate|mathesar|nocodb|omnidb|phpmyadmin|pgadmin\d?|pghero|pgweb|sqlpad|\w*exporter)$/;

export function isConsole({ image, builds }: Pick<ComposeService, 'image' | 'builds'>): boolean {
  return !builds && wordsOf(image).some((word) => CONSOLES.test(word));
}

/** The program beside the application that a database is named after: `keycloak` next to a container of Keycloak. */
export function toolOf(
  database: string,
  { folder }: Pick<ComposeService, 'folder'>,
  services: readonly ComposeService[],
): string | undefined {
  const [named = ''] = database.toLowerCase().split(/[_-]/);
  if (!TOOLS.has(named)) return undefined;
  // What is built here may be the application itself.
  const runs = services.some(
    ({ image, builds, folder: where }) =>
      where === folder && !builds && wordsOf(image).some((word) => word.startsWith(named)),
  );
  return runs ? named : undefined;
}

function wordsOf(image = ''): readonly string[] {
  return image.toLowerCase().split(/[^a-z0-9]+/);
}
