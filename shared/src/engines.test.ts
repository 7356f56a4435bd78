import { ENGINE_KINDS, ENGINES, SERVER_TYPES, SERVERS } from './engines.ts';
import { engineType } from './tools/database/fields.ts';

describe('the engines by name', () => {
  test('are the kinds that tools answer with', () => {
    expect(engineType.options).toEqual([...ENGINE_KINDS]);
  });

  test('have a port where they have a server', () => {
    const ports = SERVER_TYPES.map((type) => [type, ENGINES[SERVERS[type].kind].port]);
    expect(Object.fromEntries(ports)).toEqual({ postgres: 5432, mysql: 3306, mariadb: 3306, mssql: 1433 });
    expect(ENGINES.sqlite.port).toBeUndefined();
  });

  test('have a name in .devdbrc that leads back to them', () => {
    for (const kind of ENGINE_KINDS) {
      const { type } = ENGINES[kind];
      expect(type === 'sqlite' ? 'sqlite' : SERVERS[type].kind).toBe(kind);
    }
  });
});
