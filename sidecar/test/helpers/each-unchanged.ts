/** Runs work for all statements, this many at once, and expects the same state after each turn as before the first. */
export async function eachUnchanged<Statement>(
  statements: readonly Statement[],
  atOnce: number,
  look: () => unknown,
  work: (statement: Statement) => Promise<void>,
): Promise<void> {
  const before = await look();
  for (let at = 0; at < statements.length; at += atOnce) {
    const some = statements.slice(at, at + atOnce);
    await Promise.all(some.map(work));
    expect([some, await look()]).toEqual([some, before]);
  }
}
