/** The argument of `--var-file`: a file with several inputs, or `NAME=FILE` with the value of one. */

export interface InputFile {
  /** The name of the one input. */
  readonly input?: string;
  readonly path: string;
}

/** A path with other characters before = than a name has, such as `./a=b.yaml`, is a file. */
export function inputFile(word: string): InputFile {
  const [, input, path] = /^([A-Za-z][A-Za-z0-9_-]*)=(.*)$/s.exec(word) ?? [];
  return input === undefined || path === undefined ? { path: word } : { input, path };
}
