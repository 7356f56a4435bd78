/** Engine options whose value is a certificate or key, or the path of a file that holds one. */
const FILE_OPTION = /^(ca|cert|key|pfx|crl|sslca|sslcert|sslkey|sslrootcert|sslcrl|servercertificate)$/;
const MAX_DEPTH = 3;

export interface NamedFile {
  readonly option: string;
  readonly path: string;
}

/** The files that a connection's options name, however these are spelled and nested. */
export function filesNamedIn(options: Readonly<Record<string, unknown>>, depth = 0): NamedFile[] {
  if (depth > MAX_DEPTH) return [];
  return Object.entries(options).flatMap(([name, value]): NamedFile[] => {
    const isFile = FILE_OPTION.test(name.toLowerCase().replaceAll(/[\s_-]/g, ''));
    if (isFile && typeof value === 'string') return isPath(value) ? [{ option: name, path: value }] : [];
    // A list of texts is joined first.
    if (isFile && Array.isArray(value)) return filesNamedIn({ [name]: value.join('\n') }, depth + 1);
    return isRecord(value) ? filesNamedIn(value, depth + 1) : [];
  });
}

function isPath(value: string): boolean {
  return value !== '' && value !== 'system' && !value.includes('-----BEGIN');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
