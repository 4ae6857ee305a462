/** Where something is in a text: what every problem names. */
/** A place in a text; line and column count from 1, the offset from 0. */
export interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface SourceRange {
  readonly file: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}
