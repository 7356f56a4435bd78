import { engineOfImage } from './compose-server.ts';
import type { ComposeService } from './compose-service.ts';

/** Programs that applications run beside themselves, each with a database of its own. */
const TOOLS: ReadonlySet<string> = new Set([
  'activepieces',
  'airflow',
  'authentik',
  'camunda',
  'flowise',
  'forgejo',
  'fusionauth',
  'gitea',
  'gitlab',
  'glitchtip',
  'grafana',
  'hangfire',
  'hydra',
  'infisical',
  'keycloak',
  'keto',
  'kestra',
  'kong',
  'kratos',
  'langfuse',
  'litellm',
  'logto',
  'matomo',
  'mattermost',
  'metabase',
  'mlflow',
  'n8n',
  'nextcloud',
  'openfga',
  'plausible',
  'posthog',
  'prefect',
  'quartz',
  'redash',
  'sentry',
  'sonarqube',
  'superset',
  'supertokens',
  'temporal',
  'umami',
  'unleash',
  'windmill',
  'wikijs',
  'zabbix',
  'zitadel',
]);

/** Programs in which people look at any database: which one they are given says nothing of the application. */
const CONSOLES =
  /^(adminer|beekeeper\w*|bytebase|cloudbeaver|dbgate|mathesar|nocodb|omnidb|phpmyadmin|pgadmin\d?|pghero|pgweb|sqlpad|\w*exporter)$/;

export function isConsole({ image, builds }: Pick<ComposeService, 'image' | 'builds'>): boolean {
  return !builds && wordsOf(image).some((word) => CONSOLES.test(word));
}

/** The program beside the application that words of a name speak of. */
export function toolNamed(words: readonly string[]): string | undefined {
  return words.find((word) => TOOLS.has(word));
}

/**
 * The program beside the application that a database is named after, `keycloak` next to a container of Keycloak, or
 * that alone gets its server and its name.
 */
export function toolOf(
  database: string,
  service: Pick<ComposeService, 'name' | 'names' | 'folder'>,
  services: readonly ComposeService[],
): string | undefined {
  const { folder } = service;
  const [named = ''] = database.toLowerCase().split(/[_-]/);
  if (!TOOLS.has(named)) return toolUsing(database, service, services);
  // What is built here may be the application itself.
  const runs = services.some(
    ({ image, builds, folder: where }) =>
      where === folder && !builds && wordsOf(image).some((word) => word.startsWith(named)),
  );
  return runs ? named : undefined;
}

function toolUsing(
  database: string,
  { name, names, folder }: Pick<ComposeService, 'name' | 'names' | 'folder'>,
  services: readonly ComposeService[],
): string | undefined {
  const users = services.filter(
    (one) =>
      one.folder === folder &&
      one.name !== name &&
      engineOfImage(one.image ?? '') === undefined &&
      !isConsole(one) &&
      (told(one).some((word) => names.includes(word)) || one.dependsOn.includes(name.toLowerCase())),
  );
  const tools = users.map((one) => (one.builds ? undefined : toolNamed(wordsOf(one.image))));
  const isTold = users.some((one) => told(one).includes(database.toLowerCase()));
  return isTold && tools.every((tool) => tool !== undefined) ? tools[0] : undefined;
}

/** The words among the values of a container's variables. */
function told({ environment }: ComposeService): readonly string[] {
  return [...environment.values()].flatMap((text) => text?.toLowerCase().split(/[^a-z0-9._-]+/) ?? []);
}

function wordsOf(image = ''): readonly string[] {
  return image.toLowerCase().split(/[^a-z0-9]+/);
}
