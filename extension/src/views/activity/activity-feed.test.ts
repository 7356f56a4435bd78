import { plain } from '@devdb/shared/plain-text';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { ActivityFeed } from './activity-feed.ts';

function callOf(id: string, state: CallRecord['state'] = 'read'): CallRecord {
  return {
    id,
    number: 1,
    tool: plain`get-tables`,
    title: plain`Get tables`,
    client: plain`agent`,
    door: 'mcp',
    root: '/p',
    startedAt: '2026-01-01T00:00:00.000Z',
    subject: plain``,
    state,
    decisions: [],
  };
}

interface Sidecar {
  closed: boolean;
  readonly calls: CallRecord[];
  readonly told: boolean[];
}

function sidecarWith(...calls: CallRecord[]): Sidecar {
  return { closed: false, calls, told: [] };
}

function feedOver(first: Sidecar | undefined) {
  const shown: (readonly string[])[] = [];
  const faults: unknown[] = [];
  const state = { sidecar: first };
  const feed = new ActivityFeed<Sidecar>({
    client: () => state.sidecar,
    watch: async (sidecar, on) => {
      sidecar.told.push(on);
      return sidecar.calls;
    },
    onCalls: (calls) => shown.push(calls.map(({ id, state: now }) => `${id} ${now}`)),
    onFault: (error) => faults.push(error),
  });
  return { feed, state, shown, faults };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('all calls are shown at first, then those that change', async () => {
  const { feed, shown } = feedOver(sidecarWith(callOf('a')));
  feed.watch(true);
  await turns();
  feed.heard([callOf('b', 'running')]);
  feed.heard([callOf('b', 'failed')]);
  expect(shown).toEqual([['a read'], ['b running'], ['b failed']]);
  expect(feed.calls.map(({ id, state }) => `${id} ${state}`)).toEqual(['a read', 'b failed']);
});

test('a sidecar that takes the place of another is watched, and what ran in the other has ended', async () => {
  const { feed, state, shown } = feedOver(sidecarWith(callOf('a', 'running')));
  feed.watch(true);
  await turns();
  state.sidecar = undefined;
  feed.sidecarChanged();
  expect(shown.at(-1)).toEqual(['a failed']);
  const next = sidecarWith(callOf('b'));
  state.sidecar = next;
  feed.sidecarChanged();
  feed.sidecarChanged();
  await turns();
  expect(shown.at(-1)).toEqual(['a failed', 'b read']);
  expect(next.told).toEqual([true]);
});

test('no changes are reported while the view is hidden', async () => {
  const sidecar = sidecarWith(callOf('a'));
  const { feed, shown } = feedOver(sidecar);
  feed.sidecarChanged();
  expect(sidecar.told).toEqual([]);
  feed.watch(true);
  await turns();
  feed.watch(false);
  await turns();
  expect([sidecar.told, shown]).toEqual([[true, false], [['a read']]]);
});

test('a sidecar that goes away while it is asked is no fault', async () => {
  const faults: unknown[] = [];
  const sidecar = sidecarWith();
  const feed = new ActivityFeed<Sidecar>({
    client: () => sidecar,
    watch: async () => {
      sidecar.closed = true;
      throw new Error('gone');
    },
    onCalls: () => undefined,
    onFault: (error) => faults.push(error),
  });
  feed.watch(true);
  await turns();
  expect(faults).toEqual([]);
});
