/** Values that would certainly be refused: all reported at once, with their locations. */
import { DeskhandError, exits } from '../../base/error.ts';
import { count } from '../../base/text.ts';
import { InputError } from '../../exchange/api/exchange.ts';
import { EvaluationError } from '../../language/expression/value.ts';
import { Problems } from '../../language/problems.ts';
import type { Step } from '../../language/playbook.ts';
import type { Problem } from '../../language/problem.ts';
import type { SourceRange } from '../../language/source-range.ts';
import type { RuleCode } from '../../language/rules.ts';
import type { Misfit } from './terms.ts';

/** The error for a playbook that cannot run with these inputs on this account; nothing was sent. */
export class UnfitError extends DeskhandError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ message, at }) => {
      return `${at.file}:${at.start.line}:${at.start.column} ${message}`;
    });
    super(lines.join('; '), { code: 'invalid', actor: 'author', exit: exits.invalid });
    this.problems = problems;
  }
}

interface Fault {
  readonly code: RuleCode;
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

/** The problems found in a plan; one of many items is reported once, with a count. */
export class PlanProblems {
  readonly #items = new Map<string, Set<string>>();
  readonly #first = new Map<string, () => void>();
  readonly #problems = new Problems();

  /** Problems of a step's order, alone or with the existing orders. */
  faults(step: Step, address: string, faults: readonly Fault[]): void {
    for (const { code, field, message, hint } of faults) {
      this.#add(code, step.with.get(field)?.at ?? step.usesAt, address, message, hint);
    }
  }

  /** Violations of the exchange's trading rules by a step's order. */
  misfits(step: Step, address: string, misfits: readonly Misfit[]): void {
    for (const { field, message, hint, isOfAccount } of misfits) {
      const at = step.with.get(field)?.at ?? step.usesAt;
      this.#add(isOfAccount ? 'PB208' : 'PB207', at, address, message, hint);
    }
  }

  /** A problem of a step's item at a place of the playbook. */
  found(
    code: RuleCode,
    at: SourceRange,
    address: string,
    { message, hint }: { readonly message: string; readonly hint: string },
  ): void {
    this.#add(code, at, address, message, hint);
  }

  /** An error of the playbook, with its location. @throws any other error */
  failed(step: Step, address: string, error: unknown): void {
    if (error instanceof EvaluationError) {
      this.#add('PB313', error.at ?? step.at, address, error.message, error.hint);
      return;
    }
    if (!(error instanceof InputError)) throw error;
    for (const { path, keyword, message, hint } of error.problems) {
      const at = step.with.get(String(path[0] ?? ''))?.at ?? step.usesAt;
      this.#add(keyword === 'required' ? 'PB203' : 'PB204', at, address, message, hint);
    }
  }

  /** @throws UnfitError when there are any */
  refuse(): void {
    for (const report of this.#first.values()) report();
    if (this.#problems.count > 0) throw new UnfitError(this.#problems.sorted());
  }

  #add(
    code: RuleCode,
    at: SourceRange,
    address: string,
    message: string,
    hint: string | undefined,
  ): void {
    const place = `${code} ${at.file} ${at.start.offset}`;
    const items = this.#items.get(place) ?? new Set();
    this.#items.set(place, items.add(address));
    if (this.#first.has(place)) return;
    this.#first.set(place, () => {
      const text = message.startsWith(address) ? message : `${address}: ${message}`;
      const others = items.size - 1;
      const also = others === 0 ? '' : `; the same applies to ${count(others, 'other item')}`;
      this.#problems.add(code, at, `${text}${also}`, hint === undefined ? {} : { hint });
    });
  }
}
