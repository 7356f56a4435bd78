import { AppError } from '@devdb/shared/errors';
import type {
  Bindings,
  Caps,
  ExportFormat,
  ExportSink,
  ExportSummary,
  Judgement,
  PreparedStatement,
  ReadOutcome,
  Session,
  WriteOutcome,
  WritePreview,
} from '../../src/engines/engine.ts';

/** A prepared statement for a test that runs it once; E_SQL for a refused one. */
async function prepared(session: Session, sql: string, signal: AbortSignal, params?: Bindings) {
  const statement = await session.prepare(sql, signal, params);
  if (statement.effect !== 'refused') return statement;
  throw new AppError('E_SQL', statement.reason, { details: { refused: true } });
}

const PATIENCE_MS = 30_000;

export function judgementOf(session: Session, sql: string, params?: Bindings): Promise<Judgement> {
  return session.prepare(sql, AbortSignal.timeout(PATIENCE_MS), params);
}

export async function readOf(
  session: Session,
  sql: string,
  caps: Caps,
  signal: AbortSignal,
  params?: Bindings,
): Promise<ReadOutcome> {
  return (await prepared(session, sql, signal, params)).read(caps, signal);
}

export async function checkOf(session: Session, sql: string, signal: AbortSignal, params?: Bindings): Promise<void> {
  await (await prepared(session, sql, signal, params)).check(signal);
}

export async function previewOf(
  session: Session,
  sql: string,
  signal: AbortSignal,
  params?: Bindings,
): Promise<WritePreview> {
  return (await prepared(session, sql, signal, params)).preview(signal);
}

export async function writeOf(
  session: Session,
  sql: string,
  caps: Caps,
  expectedRows: number | undefined,
  signal: AbortSignal,
  params?: Bindings,
): Promise<WriteOutcome> {
  return (await prepared(session, sql, signal, params)).write(caps, expectedRows, signal);
}

export async function explainOf(
  session: Session,
  sql: string,
  analyze: boolean,
  signal: AbortSignal,
): ReturnType<PreparedStatement['explain']> {
  return (await prepared(session, sql, signal)).explain(analyze, signal);
}

export async function exportOf(
  session: Session,
  sql: string,
  format: ExportFormat,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<ExportSummary> {
  return (await prepared(session, sql, signal)).export(format, sink, signal);
}
