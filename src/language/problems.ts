/** Collects problems while a playbook is read: sorted at the end, without duplicates. */
import { nearWord } from '../base/text.ts';
import type { Type } from './expression/type.ts';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import type { RuleCode } from './rules.ts';

export interface Details {
  readonly hint?: string;
  readonly level?: Problem['level'];
}

/** A path of an expression, the available alternatives, and its inferred type. */
export interface SeenPath {
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
  readonly roots: ReadonlyMap<string, Type>;
  /** `any` if the path leads nowhere. */
  readonly type: Type;
}

const suggestionsMax = 100; // a person corrects these first; each is compared with all names there are

/** The problems of a playbook; every part of the checker adds to one list. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  #suggestions = 0;
  readonly #onPath: ((seen: SeenPath) => void) | undefined;

  /** @param onPath called with every path that has a type, for editors */
  constructor(onPath?: (seen: SeenPath) => void) {
    this.#onPath = onPath;
  }

  see(path: SeenPath): void {
    this.#onPath?.(path);
  }

  add(code: RuleCode, at: SourceRange, message: string, details: Details = {}): void {
    const { hint, level = 'error' } = details;
    const problem: Problem = {
      code,
      level,
      message: `${message}${usedBy(at)}`,
      at,
      ...(hint !== undefined && { hint }),
    };
    // One location and one rule are one problem, however many checks report it.
    const name = `${code} ${at.file} ${at.start.offset}`;
    const first = this.#found.get(name);
    if (first === undefined) this.#found.set(name, problem);
    // An anchored value is used in several places, which may find different mistakes in it.
    else if (at.alias !== undefined && !first.message.startsWith(message)) {
      const ofUse = `${name} ${message}`;
      if (!this.#found.has(ofUse)) this.#found.set(ofUse, problem);
    }
  }

  /** The hint for a name that the playbook does not have, for the first ones of them. */
  suggest(word: string, known: Iterable<string>): { readonly hint?: string } {
    if (this.#suggestions === suggestionsMax) return {};
    this.#suggestions += 1;
    return didYouMean(nearWord(word, known));
  }

  get count(): number {
    return this.#found.size;
  }

  get hasErrors(): boolean {
    return [...this.#found.values()].some(({ level }) => level === 'error');
  }

  /** Drops consequences of other problems of a file. */
  dropFrom(file: string, consequencesIn: (own: readonly Problem[]) => ReadonlySet<Problem>): void {
    const own = this.sorted(file).filter(({ at }) => at.file === file);
    const dropped = consequencesIn(own);
    for (const [name, problem] of this.#found) {
      if (dropped.has(problem)) this.#found.delete(name);
    }
  }

  /** @param main the file whose problems come first */
  sorted(main?: string): readonly Problem[] {
    const rank = ({ at }: Problem): string => (at.file === main ? '' : at.file);
    return [...this.#found.values()].sort((a, b) => {
      if (a.at.file !== b.at.file) return rank(a) < rank(b) ? -1 : 1;
      return a.at.start.offset - b.at.start.offset || (a.code < b.code ? -1 : 1);
    });
  }
}

/** Where the alias is that uses a value of another place. */
function usedBy({ alias }: SourceRange): string {
  return alias === undefined
    ? ''
    : ` (used as *${alias.name} at ${alias.at.line}:${alias.at.column})`;
}

/** The hint for a misspelling, such as `did you mean "x"?`; empty without a suggestion. */
export function didYouMean(near: string | undefined): { readonly hint?: string } {
  return near === undefined ? {} : { hint: `did you mean ${JSON.stringify(near)}?` };
}
