import type { Session } from '../../src/engines/engine.ts';
import type { EngineUnderTest, OpenedShop, StartedEngine } from './engines-under-test.ts';

export interface SharedShop {
  readonly session: Session;
  /** For a block of tests that change something: each of them gets a new shop. */
  withOwnShop(): void;
}

/** One shop of the engine for the tests of the block around it, which only read. */
export function sharedShop(engine: EngineUnderTest): SharedShop {
  let running: StartedEngine;
  let shop: OpenedShop;
  beforeAll(async () => {
    running = await engine.start();
    shop = await running.open();
  });
  afterAll(async () => {
    await shop.close();
    await running.stop();
  });
  return {
    get session() {
      return shop.session;
    },
    withOwnShop: () => {
      let shared: OpenedShop;
      beforeEach(async () => {
        shared = shop;
        shop = await running.open();
      });
      afterEach(async () => {
        await shop.close();
        shop = shared;
      });
    },
  };
}
