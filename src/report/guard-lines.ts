/** Guards of a plan or a run as text: every screen, comment, page and report draws these lines. */
import { plainText } from '../base/text.ts';
import type { GuardResult } from '../engine/journal/guard-result.ts';

/** One guard: how much of its limit is used, and what violates it. */
export interface GuardLine {
  /** The name of the guard, such as `max-writes`, without its owner. */
  readonly name: string;
  /** The account or the step that has the guard; absent for a guard on all writes of the run. */
  readonly owner?: string;
  /** The usage of the limit: `3 of 10`. */
  readonly use: string;
  readonly isKept: boolean;
  /** The first violation; '' if there is none. */
  readonly message: string;
}

export function guardLines(guards: readonly GuardResult[]): readonly GuardLine[] {
  return guards.map(({ guard, account, within, limit, used, isKept, message }) => {
    const owner = account ?? within;
    const name = owner === undefined ? guard : guard.slice(0, -` of ${owner}`.length);
    return {
      name: plainText(name, 120),
      ...(owner !== undefined && { owner: plainText(owner, 120) }),
      use: `${plainText(used, 200) || 'none'} of ${plainText(limit, 200)}`,
      isKept,
      message: plainText(message, 300),
    };
  });
}

/** The full name of a guard, as messages use it: `max-writes of desk-2`. */
export function guardName({ name, owner }: GuardLine): string {
  return owner === undefined ? name : `${name} of ${owner}`;
}

/** Owners and guards as a table; an owner without a guard has an empty cell. */
export interface GuardTable {
  readonly names: readonly string[];
  readonly rows: readonly {
    readonly owner: string;
    readonly cells: readonly (GuardLine | undefined)[];
  }[];
}

/** The table of guards; undefined when all guards are those of the run: then a list is enough. */
export function guardTable(lines: readonly GuardLine[]): GuardTable | undefined {
  if (lines.every(({ owner }) => owner === undefined)) return undefined;
  const names = [...new Set(lines.map(({ name }) => name))];
  const owners = [...new Set(lines.map(ownerOf))];
  const rows = owners.map((owner) => {
    const own = lines.filter((line) => ownerOf(line) === owner);
    return { owner, cells: names.map((name) => own.find((line) => line.name === name)) };
  });
  return { names, rows };
}

function ownerOf({ owner = 'all accounts' }: GuardLine): string {
  return owner;
}
