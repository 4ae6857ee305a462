/** Collects problems while a playbook is read: sorted at the end, and none told twice. */
import type { Problem, SourceRange } from './playbook.ts';
import type { RuleCode } from './rules.ts';

export interface Details {
  readonly hint?: string;
  readonly level?: Problem['level'];
}

/** Problems so far; every part of the checker adds to one of these. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  add(code: RuleCode, at: SourceRange, message: string, details: Details = {}): void {
    const { hint, level = 'error' } = details;
    const problem: Problem = { code, level, message, at, ...(hint !== undefined && { hint }) };
    // One place and one rule make one problem, however many checks stumble over it.
    const name = `${code} ${at.file} ${at.start.offset}`;
    if (!this.#found.has(name)) this.#found.set(name, problem);
  }

  get count(): number {
    return this.#found.size;
  }

  get hasErrors(): boolean {
    return [...this.#found.values()].some(({ level }) => level === 'error');
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

/** `did you mean "x"?`, or nothing. */
export function didYouMean(near: string | undefined): { readonly hint?: string } {
  return near === undefined ? {} : { hint: `did you mean ${JSON.stringify(near)}?` };
}
