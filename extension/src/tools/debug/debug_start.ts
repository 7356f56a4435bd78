import type { Handler } from '@devdb/shared/tools';
import { launchPlan } from '../../debug/launch-plan.ts';
import { outcomeOf } from '../../debug/outcome.ts';
import { nextMoment } from '../../debug/run-on.ts';
import { startPlan } from '../../debug/start.ts';
import { stopSessions } from '../../debug/stop.ts';
import { whatStarts } from '../../editor/run-configurations.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugStart: Handler<'debug_start', EditorContext> = async (input, context) => {
  const { root, client, signal, progress } = context;
  const until = performance.now() + input.timeoutMs;
  const plan = await launchPlan(root, input);
  const { what } = plan;
  if (input.program === undefined) {
    const statement = await context.unlessEnded(whatStarts(root, what, signal));
    context.checkAgreed({ title: typeof what === 'string' ? what : what.name, statement });
  }
  const debug = await context.debug();
  const { timeoutMs, noDebug } = input;
  const groups = await context.change(() => startPlan(debug, plan, { ...context, client, timeoutMs, noDebug }));
  const [first, ...others] = groups;
  const { configuration, name, type } = first.root;
  const facts = {
    sessionId: first.id,
    sessionName: name,
    adapterType: type,
    configuration: {
      type: configuration.type,
      request: configuration.request,
      ...(typeof configuration['program'] === 'string' ? { program: configuration['program'] } : {}),
    },
    ...(others.length === 0
      ? {}
      : { sessions: groups.map((one) => ({ sessionId: one.id, sessionName: one.root.name })) }),
  };
  if (!input.wait) return facts;
  try {
    const left = Math.max(0, until - performance.now());
    const moment = await nextMoment(debug, first, { signal, progress, timeoutMs: left });
    return { ...facts, ...(await outcomeOf(debug, first, moment, { root, brief: false })) };
  } catch (error) {
    // A caller that is gone has not heard which session it started.
    if (signal.aborted) await stopSessions(groups);
    throw error;
  }
};
