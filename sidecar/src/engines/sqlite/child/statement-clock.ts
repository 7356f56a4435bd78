/** The pipe on which the parent asks for usage; its end means that the parent is gone. */
export const WATCH_FD = 3;

const FIELDS = 3;
const NUMBER = 0;
const CPU_AT_START = 1;
const TIME_AT_START = 2;

export interface StatementTimes {
  /** Counted from one; zero before the first. */
  readonly statement: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** How much CPU time the running statement has used, shared with another thread through shared memory. */
export class StatementClock {
  readonly memory: SharedArrayBuffer;
  readonly #fields: Float64Array;

  private constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#fields = new Float64Array(memory);
  }

  static create(): StatementClock {
    return new StatementClock(new SharedArrayBuffer(FIELDS * Float64Array.BYTES_PER_ELEMENT));
  }

  /** The same clock in another thread. */
  static over(memory: unknown): StatementClock {
    if (!(memory instanceof SharedArrayBuffer)) throw new TypeError('The clock needs shared memory.');
    return new StatementClock(memory);
  }

  /** The next statement starts now; the process's start does not count. */
  start(): void {
    this.#fields[CPU_AT_START] = cpuMs();
    this.#fields[TIME_AT_START] = Date.now();
    this.#fields[NUMBER] = (this.#fields[NUMBER] ?? 0) + 1;
  }

  get wallMs(): number {
    return Date.now() - (this.#fields[TIME_AT_START] ?? 0);
  }

  read(): StatementTimes {
    const [statement = 0, cpuAtStart = 0] = this.#fields;
    if (statement === 0) return { statement, cpuMs: 0, wallMs: 0 };
    return { statement, cpuMs: cpuMs() - cpuAtStart, wallMs: this.wallMs };
  }
}

/** Of the whole process, whichever thread calls it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
