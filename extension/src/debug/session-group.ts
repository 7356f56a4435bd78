import type { DebugSession } from 'vscode';
import { RECORDED_ENDED_PROCESSES } from './limits.ts';
import type { RecordedEvent, SessionRecord, Stop } from './session-record.ts';

/** A session of the editor with what was recorded of it. */
export interface Member {
  readonly session: DebugSession;
  readonly record: SessionRecord;
}

/** Where a program stands still. */
export interface StopAt {
  readonly member: Member;
  readonly stop: Stop;
}

/** Who started a session: the client whose user said yes to it. */
export interface Starter {
  readonly client: string;
}

/**
 * What an agent calls a session: the one that was started, with those that its debugger started for it. JavaScript's has
 * one for each process, and stops, frames and variables belong to those.
 */
export class SessionGroup {
  readonly root: DebugSession;
  /** Undefined for a session that a person started. */
  starter: Starter | undefined;
  /** It is being ended to begin anew, which is not its end. */
  restarting = false;
  /** Output up to this event has been part of an answer. */
  toldUntil = 0;
  readonly #members = new Map<string, Member>();
  /** Threads by the numbers that answers have for them, from 1: those of several processes may have the same. */
  readonly #threads: { readonly sessionId: string; readonly threadId: number }[] = [];

  constructor(root: DebugSession) {
    this.root = root;
  }

  get id(): string {
    return this.root.id;
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  get rootRecord(): SessionRecord | undefined {
    return this.#members.get(this.id)?.record;
  }

  add(member: Member): void {
    this.#members.set(member.session.id, member);
    this.#forgetEnded();
    if (member.session.id === this.id) this.restarting = false;
  }

  member(sessionId: string): Member | undefined {
    return this.#members.get(sessionId);
  }

  has(sessionId: string): boolean {
    return this.#members.has(sessionId);
  }

  threadNumber({ session }: Member, threadId: number): number {
    const known = this.#threads.findIndex((one) => one.sessionId === session.id && one.threadId === threadId);
    if (known >= 0) return known + 1;
    this.#threads.push({ sessionId: session.id, threadId });
    return this.#threads.length;
  }

  thread(number: number): { readonly member: Member; readonly threadId: number } | undefined {
    const known = this.#threads[number - 1];
    const member = known && this.#members.get(known.sessionId);
    return known && member && { member, threadId: known.threadId };
  }

  /** A thread that its debuggers have reported. */
  get anyThread(): { readonly member: Member; readonly threadId: number } | undefined {
    for (const member of this.members) {
      const { anyThread: threadId } = member.record;
      if (threadId !== undefined) return { member, threadId };
    }
    return undefined;
  }

  get ended(): boolean {
    return !this.restarting && this.rootRecord?.endedAt !== undefined;
  }

  get exitCode(): number | undefined {
    return this.#newest(({ record }) => record.exitCode);
  }

  get fault(): string | undefined {
    return this.#newest(({ record }) => record.fault);
  }

  /** The latest stop that still holds, in any of its processes. */
  get stopped(): StopAt | undefined {
    let latest: StopAt | undefined;
    const since = this.rootRecord?.restartedAt ?? 0;
    for (const member of this.members) {
      const { stop } = member.record;
      if (stop !== undefined && stop.at > since && (latest === undefined || stop.at > latest.stop.at))
        latest = { member, stop };
    }
    return latest;
  }

  /** The process that a question goes to: the one that stands still, else the last one that runs. */
  get foremost(): Member | undefined {
    const running = this.members.filter(({ record }) => record.endedAt === undefined);
    return this.stopped?.member ?? running.at(-1);
  }

  /** What happened in any of its sessions, in order. */
  get events(): readonly RecordedEvent[] {
    return this.members.flatMap(({ record }) => [...record.events]).sort((one, other) => one.at - other.at);
  }

  /** A program may start processes without end: of those that have ended only the last are remembered. */
  #forgetEnded(): void {
    const ended = this.members.filter(({ session, record }) => session.id !== this.id && record.endedAt !== undefined);
    const tooMany = ended.slice(0, Math.max(0, ended.length - RECORDED_ENDED_PROCESSES));
    for (const { session } of tooMany) this.#members.delete(session.id);
  }

  #newest<T>(read: (member: Member) => T | undefined): T | undefined {
    return this.members.map(read).findLast((value) => value !== undefined);
  }
}
