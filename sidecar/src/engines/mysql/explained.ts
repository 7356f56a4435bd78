import { AppError } from '@devdb/shared/errors';
import { unbound } from '../bound-statement.ts';
import { type ReadyStatement, ready } from './judge.ts';
import { explainedStatement, verbOf } from './judge-tokens.ts';

const PLANNED = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES', 'INSERT', 'REPLACE', 'UPDATE', 'DELETE']);

/** The statement that a plan is wanted of: without an EXPLAIN of its own, which makes it another text to judge. */
export function explained(statement: ReadyStatement): ReadyStatement {
  const { tokens, text } = statement;
  const verb = verbOf(tokens);
  const own = ['EXPLAIN', 'DESC', 'DESCRIBE', 'ANALYZE'].includes(verb) ? explainedStatement(tokens) : undefined;
  const rest = own?.rest ?? tokens;
  const [first] = rest;
  if (first === undefined || !PLANNED.has(verbOf(rest))) {
    throw new AppError('E_SQL', `The server has no plan for ${verb === '' ? 'this' : verb}.`, {
      hint: 'Explain a SELECT, INSERT, UPDATE or DELETE.',
    });
  }
  if (own === undefined) return statement;
  const plain = ready(unbound(text.slice(first.start)));
  if (plain.effect === 'refused') throw new AppError('E_SQL', plain.reason, { details: { refused: true } });
  return plain;
}
