/** Nested playbooks: each file is read once, and cycles are refused. */
import { posix } from 'node:path';
import { sha256 } from '../base/json.ts';
import type { Type } from './expression/type.ts';
import type { Included, Playbook } from './playbook.ts';
import type { SourceRange } from './source-range.ts';
import type { Problems } from './problems.ts';

/** Returns the text of a playbook by its relative path; undefined if it does not exist. */
export type ReadIncluded = (file: string) => string | Uint8Array | undefined;

/** A parsed playbook, and the type of its outputs. */
export interface Read {
  readonly playbook: Playbook;
  readonly answer: Type;
}

/** Parses one playbook and adds its problems to the shared list. */
export type Reader = (
  text: string | Uint8Array,
  file: string,
  includes: Includes,
) => Read | undefined;

const depthMax = 8;

export class Includes {
  readonly #problems: Problems;
  readonly #textOf: ReadIncluded;
  readonly #reader: Reader;
  readonly #known = new Map<string, Read | undefined>();
  readonly #files = new Map<string, Included>();
  /** The stack of files being read, outermost first. */
  readonly #way: string[];

  constructor(
    main: string,
    { problems, textOf, reader }: { problems: Problems; textOf: ReadIncluded; reader: Reader },
  ) {
    this.#problems = problems;
    this.#textOf = textOf;
    this.#reader = reader;
    this.#way = [posix.normalize(main)];
  }

  /** All files that were read, except the main file. */
  files(): readonly Included[] {
    return [...this.#files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /** The nested playbook of a step; undefined if it cannot be used, which is reported. */
  read(uses: string, at: SourceRange): Read | undefined {
    const file = posix.join(posix.dirname(at.file), uses);
    const circle = this.#way.indexOf(file);
    if (circle !== -1) {
      const files = [...this.#way.slice(circle), file];
      this.#problems.add('PB410', at, `playbooks use each other: ${files.join(' → ')}`);
      return undefined;
    }
    if (this.#known.has(file)) return this.#known.get(file);
    const text = this.#open(file, at);
    if (text === undefined) return undefined;
    this.#way.push(file);
    const read = this.#reader(text, file, this);
    this.#way.pop();
    this.#known.set(file, read);
    return read;
  }

  #open(file: string, at: SourceRange): string | undefined {
    if (file.startsWith('../') || file.startsWith('/')) {
      this.#problems.add('PB411', at, `${file} is outside the folder of this command`, {
        hint: 'keep these playbooks in one repository, and run from its root',
      });
      return undefined;
    }
    if (this.#way.length > depthMax) {
      this.#problems.add('PB411', at, `playbooks are nested deeper than ${depthMax}`);
      return undefined;
    }
    const given = this.#textOf(file);
    if (given === undefined) {
      this.#problems.add('PB411', at, `playbook not found: ${file}`, {
        hint: 'the path is relative to the file that names it',
      });
      return undefined;
    }
    const text = typeof given === 'string' ? given : Buffer.from(given).toString('utf8');
    this.#files.set(file, { file, digest: sha256(text), text });
    return text;
  }
}

/** Whether `uses` names a playbook rather than an operation. */
export function isPlaybookPath(uses: string): boolean {
  return /^\.{1,2}\/.+\.ya?ml$/.test(uses);
}
