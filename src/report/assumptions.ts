/** What the promise of no order twice rests on, and how far each part of it is known. */
import { plainText, spoken } from '../base/text.ts';
import { validity, visibility } from '../contract/promises.ts';
import { accountOf } from '../journal/account.ts';
import type { Destination, Visibility } from '../journal/entry.ts';
import { mustShow } from '../journal/visibility.ts';
import type { Story } from './story.ts';
import { moment } from './words.ts';

export interface Assumption {
  /** From 1, as in docs/no-order-twice.md. */
  readonly number: number;
  readonly says: string;
  /** `assumed`: as the exchange describes itself; no program can try it without harm. */
  readonly state: 'assumed' | 'proved' | 'open' | 'refuted';
  /** How that is known, or why it is not. */
  readonly because: string;
}

/** The four of one account. @param known what runs learned of its lists */
export function assumptionsOf(
  destination: Destination,
  known: Visibility | undefined,
): readonly Assumption[] {
  const assumed = mustShow(destination)
    ? ({ state: 'assumed', because: 'as the exchange describes itself' } as const)
    : built;
  return [
    {
      number: 1,
      says: `a request signed more than ${spoken(validity)} ago is refused`,
      ...assumed,
    },
    { number: 2, says: `an order shows in the lists within ${spoken(visibility)}`, ...assumed },
    { number: 3, says: 'a rate limit and a refused timestamp execute nothing', ...assumed },
    { number: 4, says: 'the lists of orders show what is placed', ...provenOf(destination, known) },
  ];
}

const built = { state: 'proved', because: 'the sandbox is built so' } as const;

/** What a run that places orders rests on, for each of its accounts. */
export interface Basis {
  readonly profile: string;
  readonly assumptions: readonly Assumption[];
  /** What a person should know before anything else, when one of them does not hold; and why. */
  readonly warning?: { readonly text: string; readonly because: string };
}

/** Nothing for a run that places no orders: none of it matters to any other write. */
export function basesOf({ started, steps, visibilities }: Story): readonly Basis[] {
  if (!steps.some(({ uses }) => uses === 'futures/place-order')) return [];
  return [started.destination, ...(started.accounts ?? [])].map((destination) => {
    const known = visibilities.get(accountOf(destination));
    const assumptions = assumptionsOf(destination, known);
    const { profile } = destination;
    const because = known?.orders === 'unlisted' ? learnedWords(known) : undefined;
    return {
      profile: plainText(profile, 60),
      assumptions,
      ...(because !== undefined && { warning: { text: unlistedWords(profile), because } }),
    };
  });
}

function provenOf(
  destination: Destination,
  known: Visibility | undefined,
): Pick<Assumption, 'state' | 'because'> {
  if (!mustShow(destination)) return built;
  if (known === undefined) {
    return { state: 'open', because: 'no order was looked up yet: the first that is answered is' };
  }
  return { state: stateOf[known.orders], because: learnedWords(known) };
}

const stateOf = { listed: 'proved', unlisted: 'refuted', unknown: 'open' } as const;

/** What was learned of an account's lists, and of which order. */
export function learnedWords({ orders, order, time, because = '' }: Visibility): string {
  const { run, address, orderId } = order;
  const id = orderId === undefined ? '' : ` (order ${plainText(orderId, 40)})`;
  const which = `${plainText(address, 120)}${id} of run ${plainText(run, 60)}`;
  const when = `${moment(time)} UTC`;
  switch (orders) {
    case 'listed':
      return `the lists show ${which}, ${when}`;
    case 'unlisted':
      return `${which} was answered and is ${plainText(because)}`;
    case 'unknown':
      return `${which} could not be looked up, ${when}: ${plainText(because)}`;
  }
}

/** What it means for doubts when the lists do not show orders; told wherever it is learned. */
export function unlistedWords(profile: string): string {
  const name = plainText(profile, 60);
  return `the lists of ${name} do not show its orders: a doubt there goes straight to a person, nothing is sent again`;
}
