import { plain } from '@devdb/shared/plain-text';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import { Alarms } from '../../src/dispatch/alarms.ts';
import { Approvals } from '../../src/dispatch/approvals.ts';
import { Deadline } from '../../src/dispatch/deadline.ts';
import type { Session } from '../../src/engines/engine.ts';
import type { ToolContext } from '../../src/tools/tool-context.ts';

/** What a handler gets for one open database when writes need a question and no user can be asked. */
export function unaskedContext(session: Session): ToolContext {
  const signal = AbortSignal.timeout(30_000);
  const approvals = new Approvals();
  const caller = {
    door: 'rest',
    clientId: 'test',
    clientName: plain`test`,
    signal,
    progress: () => undefined,
  } as const;
  const none = async (): Promise<never> => {
    throw new Error('This test has one open database and no project.');
  };
  return {
    projectRoot: '/',
    signal,
    progress: () => undefined,
    writes: 'ask',
    editor: { attached: false, name: undefined, goneAt: undefined, linkOpener: undefined, answers: async () => false },
    open: async () => ({ id: 'shop', name: plain`shop`, session }),
    connections: none,
    projectTools: () => {
      throw new Error('This test has no project.');
    },
    changes: () => undefined,
    confirm: async (request) => {
      const deadline = new Deadline(runQuery, 30_000, signal, new Alarms());
      try {
        await approvals.confirm({ caller, deadline }, undefined, request);
      } finally {
        deadline.end();
      }
    },
  };
}
