/** The assumptions of the promise "no order twice", and the evidence for each. */
import type { Millis } from '../base/clock.ts';
import { listed, plainText, spoken } from '../base/text.ts';
import { validity, visibility } from '../exchange/api/promises.ts';
import { lineKey, listedLineOf, tradedLines, placesOrders } from '../exchange/api/meant-order.ts';
import type { Destination } from '../engine/journal/entry.ts';
import type { RecordedVisibility, Visibility } from '../engine/journal/visible.ts';
import { mustShow, visibilitiesOf } from '../engine/journal/visibility.ts';
import type { Story } from './story.ts';
import { moment } from './words.ts';
import { destinationsOf } from '../engine/journal/account.ts';

export interface Assumption {
  /** Number in docs/no-order-twice.md, from 1. */
  readonly number: number;
  readonly statement: string;
  /**
   * The state of the assumption; `assumed`: documented by the exchange, but a program cannot test it safely.
   */
  readonly state: 'assumed' | 'proved' | 'open' | 'refuted';
  /** The evidence, or why there is none. */
  readonly because: string;
}

/**
 * The four assumptions for one account.
 * @param known what runs learned about its lists
 * @param productTypes those of interest; default: those with some knowledge
 */
export function assumptionsOf(
  destination: Destination,
  known: ReadonlyMap<string, Visibility>,
  productTypes: readonly string[] = [...known.keys()],
): readonly Assumption[] {
  const assumed = mustShow(destination)
    ? ({ state: 'assumed', because: 'documented by the exchange' } as const)
    : built;
  return [
    {
      number: 1,
      statement: `a request signed more than ${spoken(validity)} ago is refused`,
      ...assumed,
    },
    {
      number: 2,
      statement: `an order shows in the lists within ${spoken(visibility)}`,
      ...assumed,
    },
    { number: 3, statement: 'a rate limit and a refused timestamp execute nothing', ...assumed },
    {
      number: 4,
      statement: 'the lists of orders show what is placed',
      ...provenOf(destination, known, productTypes),
    },
  ];
}

const built = { state: 'proved', because: 'the sandbox implements this' } as const;

/** The assumptions of a run that places orders, for each of its accounts. */
export interface Basis {
  readonly profile: string;
  readonly assumptions: readonly Assumption[];
  /** A warning for people if one of them is false, with the reason. */
  readonly warning?: { readonly text: string; readonly because: string };
}

/** The assumptions of a run; none if it places no orders, because no other write depends on them. */
export function basesOf(story: Story): readonly Basis[] {
  const { started, steps, visibilities } = story;
  if (!steps.some(({ uses }) => placesOrders(uses))) return [];
  return destinationsOf(started).map((destination) => {
    const productTypes = productTypesIn(story, destination);
    const known = visibilitiesOf(destination, visibilities);
    const assumptions = assumptionsOf(
      destination,
      known,
      productTypes.length > 0 ? productTypes : undefined,
    );
    const unlisted = [...known.values()].filter(({ orders }) => orders === 'unlisted');
    const { profile } = destination;
    const text = unlistedWords(
      profile,
      unlisted.map(({ line: productType }) => productType),
    );
    const because = unlisted.map(learnedWords).join('; ');
    return {
      profile: plainText(profile, 60),
      assumptions,
      ...(unlisted.length > 0 && { warning: { text, because } }),
    };
  });
}

/** The product types of the orders that a run placed. */
function productTypesIn({ steps }: Story, { family }: Destination): readonly string[] {
  const sent = steps
    .flatMap(({ actions }) => actions)
    .flatMap(({ operation, input }) => listedLineOf(operation, input, family) ?? [])
    .map(lineKey);
  return [...tradedLines(family).keys()].filter((line) => sent.includes(line));
}

function provenOf(
  destination: Destination,
  known: ReadonlyMap<string, Visibility>,
  productTypes: readonly string[],
): Pick<Assumption, 'state' | 'because'> {
  if (!mustShow(destination)) return built;
  if (known.size === 0) {
    return { state: 'open', because: 'no order was looked up yet; the first accepted order is' };
  }
  const states = productTypes.map((productType) => known.get(productType)?.orders ?? 'unknown');
  const state = states.includes('unlisted')
    ? 'refuted'
    : states.every((one) => one === 'listed')
      ? 'proved'
      : 'open';
  const because = productTypes.map((productType) => {
    const learned = known.get(productType);
    return learned === undefined
      ? `no order of ${productType} was looked up yet`
      : learnedWords(learned);
  });
  return { state, because: because.join('; ') };
}

/** The knowledge about an account's lists as text, and the order that it was learned from. */
export function learnedWords(learned: RecordedVisibility): string {
  const { orders, order, line: productType, time, because = '' } = learned;
  const { run, address, orderId } = order;
  const facts = [
    ...(orderId === undefined ? [] : [`order ${plainText(orderId, 40)}`]),
    ...(productType === undefined ? [] : [productType]),
  ];
  const id = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
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

/** The consequence for doubts if the lists do not show orders; reported wherever it is learned. */
export function unlistedWords(
  profile: string,
  productTypes: readonly (string | undefined)[] = [],
): string {
  const name = plainText(profile, 60);
  const named = productTypes.filter((productType) => productType !== undefined);
  const which = named.length === 0 ? '' : ` of ${listed(named)}`;
  return `the lists of ${name} do not show its orders${which}: a doubt there goes straight to a person, nothing is sent again`;
}

/** The warning for an implausible response time. */
export function outlierWords(ms: Millis): string {
  return `the times of two responses differ by ${spoken(ms)}: the earlier one counts`;
}
