import { type BatchRun, Ledger, type PeerState, runBatch, Transaction } from '../../fixtures/tds-peer/index.ts';
import { mssqlRole } from '../src/engines/mssql/role.ts';
import { batches } from './helpers/mssql-lab.ts';

/** `devdb role`'s script on a server that fails at some point in it. */
const [SCRIPT = ''] = batches(
  mssqlRole.script({ name: "r]'x", database: 'shop', schemas: ['dbo'], applicationUser: undefined }),
).map((batch) => batch.replace("= N'';  -- <-- HERE", "= N'secret';  -- <-- HERE"));

const NEW: BatchRun['holds'] = (condition) => {
  if (condition.includes('@password')) return false;
  if (condition.includes('DB_ID(') && condition.includes('<>')) return false;
  if (condition.includes('IS NOT NULL AND NOT EXISTS')) return false;
  if (condition.includes('@hadLogin = 1')) return false;
  return !condition.includes('NOT EXISTS');
};

function run(fails: BatchRun['fails'], holds = NEW) {
  const ledger = new Ledger();
  const transaction = new Transaction(ledger);
  const state: PeerState = {
    session: 51,
    user: '',
    modes: new Set(),
    isXactAbort: false,
    transaction,
    get transactions() {
      return transaction.depth;
    },
  };
  const steps = runBatch(SCRIPT, state, { holds, fails });
  return { ledger, transactions: transaction.depth, steps };
}

const CHANGES = /^(?:EXEC|CREATE|ALTER|GRANT|DENY)\b/;

describe('the script that makes a login', () => {
  it('makes everything in one transaction, and says so', () => {
    const { ledger, transactions, steps } = run(() => undefined);
    expect(transactions).toBe(0);
    const made = ledger.committed.filter((statement) => CHANGES.test(statement));
    expect(made.map((statement) => statement.split(' ')[0])).toEqual([
      'EXEC',
      'CREATE',
      'EXEC',
      'GRANT',
      'GRANT',
      'DENY',
      'EXEC',
    ]);
    expect(JSON.stringify(steps)).toContain('was made, with its user');
  });

  it('says that an existing login keeps its password', () => {
    const { steps } = run(
      () => undefined,
      (condition) => condition.includes('@hadLogin = 1') || (NEW(condition) && !condition.includes('@hadLogin = 0')),
    );
    expect(JSON.stringify(steps)).toContain('keeps its password');
  });

  const statements = run(() => undefined).ledger.committed.filter((statement) => CHANGES.test(statement));

  it.each(statements)('leaves nothing where %s fails, and says what exists', (failing) => {
    const { ledger, transactions, steps } = run((statement) =>
      statement === failing ? { number: 15151, message: 'Cannot find it.' } : undefined,
    );
    expect(ledger.committed).toEqual([]);
    expect(transactions).toBe(0);
    expect(steps.at(-1)).toMatchObject({ error: { number: 50_000 } });
    const said = ledger.ran.filter(
      (statement) => statement.includes('SUSER_ID') && statement.includes('There is no login'),
    );
    expect(said).toHaveLength(1);
  });
});
