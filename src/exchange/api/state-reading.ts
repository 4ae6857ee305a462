/** How an account shows the state that a write of effect `set` changes: declared by its operation. */

/** @typeParam F the fields of the operation's input */
export interface StateReading<F extends string = string> {
  /** The read that shows the state. */
  readonly operation: string;
  /** Fields of the read, each with the field of the write that it takes. */
  readonly input: Readonly<Record<string, F>>;
  /** The field of the response with rows, or '' for the response itself; without it the response is the row. */
  readonly rows?: string;
  /** Fields of a row, each with the field of the write that it must equal, ignoring case; default: all rows. */
  readonly where?: Readonly<Record<string, F>>;
  /** The fields with the value; each field whose conditions are met shows the state. */
  readonly value: readonly ShownValue<F>[];
}

export interface ShownValue<F extends string = string> {
  readonly field: string;
  /** Fields of the row that must have one of these values, ignoring case. */
  readonly row?: Readonly<Record<string, readonly string[]>>;
  /** Fields of the write that must have one of these values; `''` represents an omitted field. */
  readonly write?: { readonly [K in F]?: readonly string[] };
}
