/** A change of the sources as a contributor makes it: new files, and edits of files. */

export interface Addition {
  /** What is added. */
  readonly name: string;
  /** Files below `src`: at most four. */
  readonly files: readonly Change[];
  /** A program at the top of the copy that prints what the addition does, as JSON. */
  readonly shows: string;
  readonly shown: unknown;
}

export type Change =
  | { readonly file: string; readonly text: string }
  | {
      readonly file: string;
      /** Each text that the file has once, with what replaces it. */
      readonly edits: readonly Edit[];
    };

export type Edit = readonly [from: string, to: string];

/** Writes lines before a line. */
export const before = (line: string, text: string): Edit => [line, `${text}${line}`];
