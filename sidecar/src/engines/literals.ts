/** How values and names are written into a statement of an engine's dialect. */
export interface Literals {
  /** An identifier, quoted for any statement. */
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly boolean: (value: boolean) => string;
  /** Binary, from its hex digits. */
  readonly binary: (hex: string) => string;
}
