/** The columns of a plan on every screen, page and comment: the sign of each change, and the numbers of orders. */
import { signs, type Tone } from '../base/palette.ts';
import type { Change } from '../engine/plan/plan.ts';

/** The names of the columns with the numbers of an order. */
export const numberColumns = { mark: 'Mark', distance: 'Distance', notional: 'Notional' } as const;

/** How a change is shown: its sign, its word, and its tone. */
interface ChangeSign {
  readonly drawn: string;
  /** The sign where a terminal draws only ASCII. */
  readonly typed: string;
  readonly word: string;
  readonly tone?: Tone;
}

export const changeSigns: Readonly<Record<Change['kind'], ChangeSign>> = {
  create: { drawn: '+', typed: '+', word: 'create', tone: 'good' },
  set: { drawn: '~', typed: '~', word: 'set', tone: 'warn' },
  none: { drawn: '=', typed: '=', word: 'unchanged' },
  read: { drawn: '→', typed: '->', word: 'read' },
  local: { drawn: '·', typed: '-', word: 'local' },
  outbound: { ...signs.warn, word: 'sends', tone: 'warn' },
  skip: { ...signs.idle, word: 'skipped', tone: 'idle' },
  reused: { drawn: '↺', typed: '<', word: 'reused', tone: 'idle' },
  later: { drawn: '?', typed: '?', word: 'later', tone: 'idle' },
};
