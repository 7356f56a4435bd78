/** A column's type as the catalogue keeps it. */
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

/** A type as a declaration writes it. */
export function typeText({ name, maxLength, precision, scale }: CatalogType): string {
  if (IN_CHARACTERS.has(name)) return `${name}(${maxLength === -1 ? 'max' : maxLength / 2})`;
  if (IN_BYTES.has(name)) return `${name}(${maxLength === -1 ? 'max' : maxLength})`;
  if (WITH_PRECISION.has(name)) return `${name}(${precision},${scale})`;
  if (WITH_FRACTION.has(name)) return `${name}(${scale})`;
  // float holds 53 bits unless told; real is its short form.
  if (name === 'float' && precision !== 53) return `float(${precision})`;
  return name === 'timestamp' ? 'rowversion' : name;
}
