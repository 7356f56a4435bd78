import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { Handles } from './handles.ts';
import { RECORDED_ENDED_SESSIONS } from './limits.ts';
import { OwnBreakpoints } from './own-breakpoints.ts';
import { type Member, SessionGroup } from './session-group.ts';
import { SessionRecord } from './session-record.ts';
import type { Changing } from './waits.ts';

/** A start that waits for its session to appear. */
export interface Claim {
  readonly matches: (session: vscode.DebugSession) => boolean;
  readonly take: (group: SessionGroup) => void;
}

/** The caller, as far as it decides which session is meant. */
export interface Asker {
  readonly client: string;
  readonly approved: boolean;
}

/** All debug sessions of the window, whoever started them, from the first message on. */
export class Debugger implements Changing {
  readonly handles = new Handles<SessionRecord>();
  readonly ownBreakpoints = new OwnBreakpoints<vscode.SourceBreakpoint>();
  readonly #groups = new Map<string, SessionGroup>();
  readonly #claims = new Set<Claim>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #events = 0;

  constructor() {
    this.#listening = vscode.debug.onDidTerminateDebugSession((session) => this.#ended(session.id));
  }

  get groups(): readonly SessionGroup[] {
    return [...this.#groups.values()];
  }

  get live(): readonly SessionGroup[] {
    return this.groups.filter(({ ended }) => !ended);
  }

  onChange(listener: () => void): vscode.Disposable {
    return this.#changed.event(listener);
  }

  /** Something that is waited for has changed. */
  changed(): void {
    this.#changed.fire();
  }

  /** Listens to a session that is about to begin, or to begin anew. */
  track(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const record = new SessionRecord({
      facts: { id: session.id, name: session.name, type: session.type },
      count: () => {
        this.#events += 1;
        return this.#events;
      },
      now: () => Date.now(),
      onChange: () => this.changed(),
    });
    this.#groupOf(session).add({ session, record });
    this.changed();
    return {
      onWillReceiveMessage: (message) => record.toAdapter(message),
      onDidSendMessage: (message) => record.fromAdapter(message),
      onError: (error) => record.fail(error.message),
      onExit: (code, signal) => {
        if (record.endedAt === undefined && code !== 0 && code !== undefined)
          record.fail(`The debug adapter ended with ${signal ?? code}.`);
        record.end();
      },
      onWillStopSession: () => record.end(),
    };
  }

  /** The next session that fits belongs to this start. */
  claim(claim: Claim): vscode.Disposable {
    this.#claims.add(claim);
    return { dispose: () => this.#claims.delete(claim) };
  }

  /** The session that a call is about: the one it names, else the caller's own, else the one in front of the person. */
  sessionFor(asker: Asker, sessionId: string | undefined): SessionGroup {
    const group = sessionId === undefined ? this.#likeliest(asker) : this.#named(sessionId);
    return this.mayTouch(asker, group);
  }

  /** The same group, unless its person has to be asked first. */
  mayTouch({ client, approved }: Asker, group: SessionGroup): SessionGroup {
    if (approved || group.starter?.client === client) return group;
    throw new AppError('E_CONFIRMATION_REQUIRED', 'This debug session was not started by the caller.', {
      hint: 'Ask the user, or start a session of your own with debug_start.',
    });
  }

  /** Refuses a caller that has no session of its own to which a yes was given. */
  mustHaveOwn({ client }: Asker): void {
    if (this.live.some(({ starter }) => starter?.client === client)) return;
    throw new AppError('E_CONFIRMATION_REQUIRED', 'The caller has no debug session of its own.', {
      hint: 'Ask the user, or start a session with debug_start first.',
    });
  }

  /** The live member with this record, and its group. */
  placeOf(record: SessionRecord): { readonly group: SessionGroup; readonly member: Member } | undefined {
    for (const group of this.#groups.values()) {
      const member = group.members.find((one) => one.record === record);
      if (member !== undefined) return { group, member };
    }
    return undefined;
  }

  /** A session by its id, live or ended. */
  recorded(sessionId: string): SessionGroup | undefined {
    return this.groups.find((group) => group.has(sessionId));
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #named(sessionId: string): SessionGroup {
    const group = this.recorded(sessionId);
    if (group === undefined) throw noSession(`There is no debug session ${sessionId}.`, this.live);
    if (group.ended) throw noSession(`The debug session ${sessionId} has ended.`, this.live);
    return group;
  }

  #likeliest({ client, approved }: Asker): SessionGroup {
    const { live } = this;
    const own = live.filter(({ starter }) => starter?.client === client);
    const inFront = vscode.debug.activeDebugSession?.id;
    const best = (groups: readonly SessionGroup[]) =>
      groups.findLast(({ stopped }) => stopped !== undefined) ??
      groups.find((group) => inFront !== undefined && group.has(inFront)) ??
      groups.at(-1);
    const found = best(own) ?? best(live);
    if (found === undefined) throw noSession('No debug session is running.', live);
    return approved ? found : this.mayTouch({ client, approved }, found);
  }

  #groupOf(session: vscode.DebugSession): SessionGroup {
    const root = rootOf(session);
    const known = this.#groups.get(root.id);
    if (known !== undefined) return known;
    const group = new SessionGroup(root);
    this.#groups.set(root.id, group);
    this.#forgetOld();
    const claim = [...this.#claims].find(({ matches }) => matches(root));
    claim?.take(group);
    return group;
  }

  #ended(sessionId: string): void {
    const group = this.recorded(sessionId);
    const record = group?.member(sessionId)?.record;
    record?.end();
    if (record !== undefined) this.handles.forget(record);
  }

  #forgetOld(): void {
    const ended = this.groups.filter((group) => group.ended);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - RECORDED_ENDED_SESSIONS))) this.#groups.delete(id);
  }
}

function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  let root = session;
  while (root.parentSession !== undefined) root = root.parentSession;
  return root;
}

function noSession(message: string, live: readonly SessionGroup[]): AppError {
  const others = live.map(({ id, root }) => `${id} (${root.name})`).join(', ');
  return new AppError('E_NO_SESSION', message, {
    hint: others === '' ? 'Start a debug session first using debug_start.' : `Live sessions: ${others}.`,
    details: { sessions: live.map(({ id, root }) => ({ sessionId: id, name: root.name })) },
  });
}
