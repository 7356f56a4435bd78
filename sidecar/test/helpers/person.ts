import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES } from '@devdb/shared/engines';
import type { Answer, Question } from '@devdb/shared/protocol';
import { askPerson } from '@devdb/shared/protocol/editor-methods';
import type { ParamsOf } from '@devdb/shared/protocol/method';
import { closeResult, readRows, runForPerson } from '@devdb/shared/protocol/result-methods';
import { rowsArrived } from '@devdb/shared/protocol/rows-notice';
import { writeDevdbrc } from './corpus-doors.ts';
import type { EngineUnderTest, OpenedShop } from './engines-under-test.ts';
import type { TempProject } from './temp-project.ts';
import { openWindow, type TestWindow } from './window.ts';

type News = ParamsOf<typeof rowsArrived>;

/** A person at the editor, who runs statements and reads their rows over the pipe. */
export class TestPerson {
  readonly window: TestWindow;
  readonly asked: Question[] = [];
  answer: Answer = 'no';
  readonly #home: string;
  readonly #listeners = new Set<(news: News) => void>();

  private constructor(window: TestWindow, home: string) {
    this.window = window;
    this.#home = home;
    window.offer((peer) => {
      peer.answer(askPerson, async (question) => {
        this.asked.push(question);
        return { answer: this.answer };
      });
      peer.hear(rowsArrived, (news) => {
        for (const listener of this.#listeners) listener(news);
      });
    });
  }

  static async open(project: TempProject): Promise<TestPerson> {
    const window = await openWindow({ home: project.home, projects: [{ root: project.root }], timeoutMs: 120_000 });
    return new TestPerson(window, project.home);
  }

  run(result: string, query: string, signal?: AbortSignal) {
    return this.window.call(runForPerson, { result, query }, signal);
  }

  async rows(result: string, from: number, count: number, order = 0): Promise<unknown[]> {
    const { rows } = await this.window.call(readRows, { result, from, count, order });
    const parsed: unknown = JSON.parse(rows);
    if (!Array.isArray(parsed)) throw new Error('A page is no list of rows.');
    return parsed;
  }

  /** Resolves when the sidecar tells that a result has this many rows. */
  whenThere(result: string, rows: number): Promise<News> {
    return new Promise((resolve) => {
      const listener = (news: News) => {
        if (news.result !== result || news.rows < rows) return;
        this.#listeners.delete(listener);
        resolve(news);
      };
      this.#listeners.add(listener);
    });
  }

  close(result: string) {
    return this.window.call(closeResult, { result });
  }

  /** The files of results in the home, by their paths below it. */
  files(): string[] {
    return readdirSync(join(this.#home, 'spool'), { recursive: true }).map(String);
  }
}

/** Makes the engine's shop the only database of a project. */
export function useShop(project: TempProject, { kind }: EngineUnderTest, { target }: OpenedShop): void {
  if ('file' in target) cpSync(target.file, join(project.root, 'shop.db'));
  else writeDevdbrc(project.root, ENGINES[kind].type, target);
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ');
const VALUE = "CASE WHEN a.n = 7 THEN NULL WHEN a.n = 2 THEN '' ELSE 'some text' END AS label";

/** Ten to this power rows, which every engine gives as it makes them: a trillion is more than any test waits for. */
export function digitsQuery(power: 6 | 12): string {
  const names = [...'abcdefghijkl'].slice(0, power);
  const number = names.map((name, at) => `${10 ** at} * ${name}.n`).slice(0, 6);
  // MySQL would first put a trillion rows into a hash table; to the others it is a comment.
  return `SELECT /*+ NO_BNL() */ ${number.join(' + ')} AS n, ${VALUE} FROM ${names.map((name) => `(${DIGITS}) ${name}`).join(' CROSS JOIN ')}`;
}
