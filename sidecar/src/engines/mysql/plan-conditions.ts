// A quote that is not closed reaches to the end: to look for its end from each of many quotes would take too long.
const TEXT_OR_NAME = /'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'?|(?<name>`[^`]*(?:``[^`]*)*`?(?:\.`[^`]*(?:``[^`]*)*`?)*)/gsu;
const NAME_PART = /`[^`]*(?:``[^`]*)*`?/gu;
const PLAIN = /^`[A-Za-z_]\w*`$/;

/** A condition as MySQL's tree has it: in JSON it writes each column as `schema`.`table`.`column`. */
export function bareCondition(condition: string): string {
  return condition.replaceAll(TEXT_OR_NAME, (piece, name?: string) => {
    if (name === undefined) return piece;
    const parts = (name.match(NAME_PART) ?? []).map((part) => (PLAIN.test(part) ? part.slice(1, -1) : part));
    return parts.slice(-2).join('.');
  });
}
