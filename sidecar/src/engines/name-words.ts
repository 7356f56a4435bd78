/** A name without quotes, whichever its engine uses. */
export function bareName(written: string): string {
  return written.replace(/^(["`])(.*)\1$/s, '$2').replace(/^\[(.*)\]$/s, '$1');
}

/** The words of a name, in lower case: `homeTeamId` and `home_team_id` have the same. */
export function nameWords(written: string): string[] {
  return bareName(written)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The ways a table's last word may be written in a column of another table: `categories` as `category` too. */
export function singulars(word: string): string[] {
  const found = [word];
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`);
  if (/(?:s|x|z|ch|sh)es$/.test(word)) found.push(word.slice(0, -2));
  if (word.endsWith('s') && !word.endsWith('ss')) found.push(word.slice(0, -1));
  if (word === 'people') found.push('person');
  if (word === 'children') found.push('child');
  return found;
}
