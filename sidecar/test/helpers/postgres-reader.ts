import type { ServerTarget } from '../../src/engines/engine.ts';
import { postgresRole } from '../../src/engines/postgres/role.ts';
import { Secret } from '../../src/host/secret.ts';
import type { PostgresLab } from './postgres-lab.ts';

/** The role from `devdb role`'s script, created in a database that a superuser owns. */
export async function readerRole(
  superuser: ServerTarget,
  ask: PostgresLab['ask'],
): Promise<{ readonly target: ServerTarget; readonly drop: () => Promise<void> }> {
  const { database } = superuser;
  const name = `${database}_reader`;
  const script = postgresRole.script({ name, database, schemas: [], applicationUser: undefined });
  await ask(script.replace("text := ''", "text := 'pw'"), superuser);
  return {
    target: { ...superuser, user: name, password: new Secret('pw') },
    drop: async () => {
      await ask(`DROP OWNED BY ${name}`, superuser);
      await ask(`DROP ROLE ${name}`, superuser);
    },
  };
}
