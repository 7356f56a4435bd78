/** A column's type as the catalogue stores it. */
export interface CatalogType {
  readonly name: string;
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
}

const IN_CHARACTERS: ReadonlySet<string> = new Set(['nvarchar', 'nchar']);
const IN_BYTES: ReadonlySet<string> = new Set(['varchar', 'char', 'varbinary', 'binary']);
const WITH_FRACTION: ReadonlySet<string> = new Set(['time', 'datetime2', 'datetimeoffset']);
const WITH_PRECISION: ReadonlySet<string> = new Set(['decimal', 'numeric']);

/** A type as written in a declaration. */
export function typeText({ name, maxLength, precision, scale }: CatalogType): string {
  if (IN_CHARACTERS.has(name)) return `${name}(${maxLength === -1 ? 'max' : maxLength / 2})`;
  if (IN_BYTES.has(name)) return `${name}(${maxLength === -1 ? 'max' : maxLength})`;
  if (WITH_PRECISION.has(name)) return `${name}(${precision},${scale})`;
  if (WITH_FRACTION.has(name)) return `${name}(${scale})`;
  // float has 53 bits by default; real is its short form.
  if (name === 'float' && precision !== 53) return `float(${precision})`;
  return name === 'timestamp' ? 'rowversion' : name;
}
