/** A range in a text: the location of a problem. */
/** A position in a text; line and column start at 1, the offset at 0. */
export interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface SourceRange {
  readonly file: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
  /** The alias through which an anchored value is used; the range is where it is written. */
  readonly alias?: { readonly name: string; readonly at: SourcePosition };
}
