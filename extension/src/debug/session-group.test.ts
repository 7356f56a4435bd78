import type { DebugSession } from 'vscode';
import { RECORDED_ENDED_PROCESSES } from './limits.ts';
import { SessionGroup } from './session-group.ts';
import { SessionRecord } from './session-record.ts';

let count = 0;

function session(id: string, parentSession?: DebugSession): DebugSession {
  return {
    id,
    type: 'node',
    name: id,
    workspaceFolder: undefined,
    configuration: { type: 'node', name: id, request: 'launch' },
    ...(parentSession === undefined ? {} : { parentSession }),
    customRequest: async () => ({}),
    getDebugProtocolBreakpoint: async () => undefined,
  };
}

function member(of: DebugSession) {
  const record = new SessionRecord({
    facts: { id: of.id, name: of.name, type: of.type },
    count: () => {
      count += 1;
      return count;
    },
    now: () => count,
    onChange: () => undefined,
  });
  return { session: of, record };
}

const stopped = (threadId: number) => ({ type: 'event', event: 'stopped', body: { reason: 'breakpoint', threadId } });

function family() {
  const root = session('root');
  const group = new SessionGroup(root);
  const [top, one, two] = [member(root), member(session('one', root)), member(session('two', root))];
  for (const each of [top, one, two]) group.add(each);
  return { group, top, one, two };
}

test('the latest stop of any process is that of the session, and a process that goes on leaves the other', () => {
  const { group, one, two } = family();
  expect(group.stopped).toBeUndefined();
  one.record.fromAdapter(stopped(1));
  two.record.fromAdapter(stopped(1));
  expect(group.stopped?.member).toBe(two);
  two.record.toAdapter({ type: 'request', seq: 1, command: 'continue', arguments: { threadId: 1 } });
  expect(group.stopped?.member).toBe(one);
});

test('threads of two processes have numbers of their own, though their debuggers use the same', () => {
  const { group, one, two } = family();
  const numbers = [group.threadNumber(one, 1), group.threadNumber(two, 1)];
  expect(numbers).toEqual([1, 2]);
  expect(group.threadNumber(one, 1)).toBe(1);
  expect(group.thread(2)).toMatchObject({ member: two, threadId: 1 });
  expect(group.thread(3)).toBeUndefined();
});

test('it has ended with the session that was started, not with one of its processes, and not while it starts again', () => {
  const { group, top, one } = family();
  one.record.end();
  expect(group.ended).toBe(false);
  group.restarting = true;
  top.record.end();
  expect(group.ended).toBe(false);
  group.restarting = false;
  expect(group.ended).toBe(true);
  group.add(member(group.root));
  expect(group.ended).toBe(false);
});

test('a program that is run again does not stand where it stood before', () => {
  const { group, top, one } = family();
  one.record.fromAdapter(stopped(1));
  top.record.toAdapter({ type: 'request', seq: 1, command: 'restart' });
  expect(group.stopped).toBeUndefined();
  one.record.fromAdapter(stopped(1));
  expect(group.stopped).toBeDefined();
});

test('of processes without end the last are remembered', () => {
  const { group } = family();
  for (let at = 0; at < 5 * RECORDED_ENDED_PROCESSES; at += 1) {
    const child = member(session(`child ${at}`, group.root));
    group.add(child);
    child.record.end();
  }
  expect(group.members.length).toBeLessThanOrEqual(RECORDED_ENDED_PROCESSES + 4);
  expect(group.has('root')).toBe(true);
  expect(group.has('one')).toBe(true);
  expect(group.has(`child ${5 * RECORDED_ENDED_PROCESSES - 1}`)).toBe(true);
});
