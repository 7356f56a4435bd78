/** Compares without case. `*` matches any text, `?` one character; without them the pattern may match anywhere. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const wanted = [...pattern.toLowerCase()];
  if (!wanted.includes('*') && !wanted.includes('?')) {
    const part = wanted.join('');
    return (name) => name.toLowerCase().includes(part);
  }
  return (name) => wildcardMatch(wanted, [...name.toLowerCase()]);
}

/** Backtracks only to the last star: many stars cost no more than pattern times name. */
function wildcardMatch(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let position = 0; position < name.length; ) {
    if (pattern[at] === '*') {
      star = at;
      at += 1;
      resume = position;
    } else if (pattern[at] === '?' || pattern[at] === name[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      position = resume;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((character) => character === '*');
}
