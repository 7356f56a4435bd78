import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const SAVE_DELAY_MS = 1_500;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Loads a bundled CommonJS file with V8's compiled code from an earlier run, kept beside it in `cache/`, and returns
 * its exports. The cache is written some time after the load, so that no start waits for it.
 */
export function loadCached(file: string): unknown {
  const source = readFileSync(file, 'utf8');
  const cache = new CodeCache(file, statSync(file));
  const cachedData = cache.read();
  const script = new Script(Module.wrap(source), {
    filename: file,
    ...(cachedData && { cachedData }),
    ...dynamicImport(),
  });
  const loaded: unknown = run(script, file);
  if (cachedData === undefined || script.cachedDataRejected) cache.saveLater(script);
  return loaded;
}

function run(script: Script, file: string): unknown {
  const compiled: unknown = script.runInThisContext();
  if (typeof compiled !== 'function') throw new Error(`${file} is not a CommonJS file.`);
  const module: { exports: unknown } = { exports: {} };
  compiled.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}

/** Lets the file use `import()`. Node 18 and early 20 lack the constant, and bundles for them need none. */
function dynamicImport(): { importModuleDynamically?: typeof constants.USE_MAIN_CONTEXT_DEFAULT_LOADER } {
  const loader = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return loader === undefined ? {} : { importModuleDynamically: loader };
}

// The header identifies the source the code was compiled from and holds a checksum: V8 verifies neither.
const HEADER_BYTES = 32;
const MAGIC = 0x44_44_42_32;
/** Without a checksum, damaged code would crash the process. Where Node has none (before 22.2), all is compiled. */
const CAN_CHECK = typeof crc32 === 'function';

/** One file of compiled code, for one source on one version of V8 and one processor. */
class CodeCache {
  readonly #file: string;
  readonly #source: Stats;

  constructor(source: string, stats: Stats) {
    const engine = `${process.versions.v8}-${process.arch}`.replace(/[^\w.-]/g, '_');
    this.#file = join(dirname(source), 'cache', `${basename(source)}-${engine}.bin`);
    this.#source = stats;
  }

  read(): Buffer | undefined {
    const bytes = CAN_CHECK ? readOrNothing(this.#file) : undefined;
    if (bytes === undefined || bytes.length <= HEADER_BYTES) return undefined;
    const code = bytes.subarray(HEADER_BYTES);
    return bytes.subarray(0, HEADER_BYTES).equals(this.#header(code)) ? code : undefined;
  }

  /** After a while, when the functions that a run needs are compiled too, or at the end of a short run. */
  saveLater(script: Script): void {
    if (!CAN_CHECK) return;
    const save = () => {
      clearTimeout(timer);
      process.off('exit', save);
      this.#save(script.createCachedData());
    };
    const timer = setTimeout(save, SAVE_DELAY_MS).unref();
    process.once('exit', save);
  }

  #save(code: Buffer): void {
    try {
      mkdirIfMissing(dirname(this.#file));
      replaceFile(this.#file, Buffer.concat([this.#header(code), code]));
    } catch {
      // A folder that is not writable, or was pruned meanwhile, only costs the next start some milliseconds.
    }
  }

  #header(code: Buffer): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(MAGIC, 0);
    header.writeUInt32LE(code.length, 4);
    header.writeUInt32LE(crc32(code), 8);
    header.writeDoubleLE(this.#source.mtimeMs, 16);
    header.writeDoubleLE(this.#source.size, 24);
    return header;
  }
}

function replaceFile(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { mode: FILE_MODE });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Not recursive: the folder of a pruned copy must not come back. */
function mkdirIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Missing on the first run; unreadable means the same: compile from source.
    return undefined;
  }
}
