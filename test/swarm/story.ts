/** What a seed draws: a playbook with every kind of effect, troubles, and moments of death. */
import { hour, minute, second, type Millis } from '../../src/base/clock.ts';
import { families, type Family } from '../../src/exchange/api/family.ts';
import type { OnDoubt } from '../../src/engine/effects/effect-context.ts';
import type { Chance } from '../../src/rehearsal/simulation/chance.ts';
import {
  brokenPromises,
  wireFaults,
  type WireFault,
} from '../../src/rehearsal/simulation/wire-faults.ts';
import { answerForms, type AnswerForms } from '../../src/sandbox/world/world-settings.ts';
import { limitOrder } from '../support/order.ts';

export interface Story {
  readonly playbook: string;
  /** Prices of the orders it places, each of its own. */
  readonly prices: readonly string[];
  readonly username: string;
  readonly onDoubt: OnDoubt;
  readonly wire: { readonly faults: readonly WireFault[]; readonly rate: number };
  /** One fault at one request, instead of many by chance. */
  readonly strike?: { readonly nth: number; readonly fault: WireFault };
  readonly disk: { readonly codes: readonly ('EIO' | 'ENOSPC')[]; readonly rate: number };
  /** Lists show an order only this long after it was accepted. */
  readonly lagMs: Millis;
  /** The account is live: its lists must have shown an order before their silence is believed. */
  readonly isLive: boolean;
  /** Lists show no order, ever. */
  readonly hides: boolean;
  /** Another program places so many orders right after our first: ours is on a later page then. */
  readonly crowd: number;
  /** How the exchange takes a clientOid a second time. */
  readonly duplicates: 'reject' | 'accept' | number;
  /** Each life but the last ends at this act of its disk or wire. */
  readonly deaths: readonly { readonly act: number; readonly when: 'before' | 'after' }[];
  /** How wrong the machine's wall clock is in each life, and how far it jumps in the middle. */
  readonly clocks: readonly { readonly wrongBy: Millis; readonly jump: Millis }[];
  readonly answers: AnswerForms;
  /** The read of one order by its key shows none, ever. */
  readonly hidesKey: boolean;
  /** The family of the account, if keys serve one; orders are placed by its operation. */
  readonly family?: Family;
  /** Whether the playbook cancels the orders that it placed. */
  readonly cancels: boolean;
}

/** A step of every kind. */
function stepsFor(
  prices: readonly string[],
  {
    username,
    force,
    parallel,
    family,
    closes = false,
    cancels,
  }: {
    username: string;
    force: string;
    parallel: number;
    family?: Family;
    closes?: boolean;
    cancels: boolean;
  },
): readonly string[] {
  const sub = `
  - id: sub
    uses: account/create-sub
    with: { username: ${username} }`;
  return [
    ...(family === 'unified' ? [] : [leverage]),
    `
  - id: ladder
    for-each: [${prices.map((price) => JSON.stringify(price)).join(', ')}]
    parallel: ${parallel}${placing(force, family, closes)}${cancels ? cancelling(family) : ''}`,
    ...(family === 'classic' ? [] : [sub]),
    `
  - id: file
    uses: market/list-discount-rates
    write: { file: rows.csv, unique: [coin], columns: { coin: "{{ row.coin }}" } }`,
    family === 'classic'
      ? `
  - id: look
    uses: futures/list-open-orders
    with: { productType: USDT-FUTURES }`
      : `
  - id: look
    uses: order/list-open
    with: { category: USDT-FUTURES }`,
  ];
}

const leverage = `
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "7" }`;

/** The operation that places an order, and its input: one that opens a long position, or closes a part of it. */
function placing(force: string, family: Family | undefined, closes: boolean): string {
  if (family === 'unified') {
    const side = closes ? 'sell' : 'buy';
    return `
    uses: trade/place-order
    with: { category: USDT-FUTURES, symbol: BTCUSDT, side: ${side}, posSide: long, orderType: limit, price: "{{ each.value }}", qty: "0.001", timeInForce: ${force} }`;
  }
  const order = limitOrder({ price: '{{ each.value }}', force });
  return `
    uses: futures/place-order
    with:${closes ? order.replace('tradeSide: open', 'tradeSide: close') : order}`;
}

/** The step that cancels them, one after another. */
function cancelling(family: Family | undefined): string {
  const [uses, where] =
    family === 'unified'
      ? ['trade/cancel-order', 'category: USDT-FUTURES']
      : ['futures/cancel-order', 'symbol: BTCUSDT, productType: USDT-FUTURES'];
  return `
  - id: cancel
    for-each: "{{ steps.ladder.outputs }}"
    uses: ${uses}
    with: { ${where}, orderId: "{{ each.value.orderId }}" }`;
}

/** Every effect once, and no trouble but what is named: for going through all cases. */
export function everyEffect(
  trouble: Pick<Story, 'strike' | 'deaths'> &
    Partial<Pick<Story, 'isLive' | 'hides' | 'answers' | 'family' | 'cancels'>>,
): Story {
  const prices = ['40000.5', '39990.5'];
  const { family, cancels = false } = trouble;
  const words = {
    username: 'every',
    force: 'gtc',
    parallel: 1,
    cancels,
    ...(family && { family }),
  };
  return {
    playbook: `playbook: 1\nname: every-effect\nsteps:${stepsFor(prices, words).join('')}\n`,
    prices,
    username: 'every',
    onDoubt: 'resend',
    wire: { faults: [], rate: 0 },
    disk: { codes: [], rate: 0 },
    lagMs: 0,
    isLive: false,
    hides: false,
    hidesKey: false,
    crowd: 0,
    duplicates: 'accept',
    clocks: [{ wrongBy: 0, jump: 0 }],
    answers: 'interface',
    cancels,
    ...trouble,
  };
}

export function storyOf(seed: number, chance: Chance): Story {
  const count = chance.between(1, 3);
  const prices = Array.from({ length: count }, (_, rung) => `${40_000 - rung * 10}.5`);
  const username = wordOf(seed);
  const force = chance.pick(['gtc', 'gtc', 'ioc']);
  const parallel = chance.between(1, 3);
  const family = familyAt(seed);
  const closes = seed % 20 < 10;
  const cancels = family !== undefined && seed % 40 < 20;
  const words = { username, force, parallel, cancels, ...(family && { family, closes }) };
  const steps = shuffled(stepsFor(prices, words), chance);
  const kept = steps.filter((step) => step.includes('id: ladder') || chance.happens(0.75));
  const isWireTrouble = chance.happens(0.8);
  const isDiskTrouble = chance.happens(0.3);
  const isLive = chance.happens(0.25);
  const onDoubt = chance.happens(0.8) ? 'resend' : 'ask';
  const faults = onDoubt === 'ask' ? [...wireFaults, ...brokenPromises] : wireFaults;
  return {
    playbook: `playbook: 1\nname: swarm\nsteps:${kept.join('')}\n`,
    prices,
    username,
    onDoubt,
    wire: isWireTrouble
      ? { faults: chance.some(faults, 0.4), rate: chance.next() * 0.5 }
      : { faults: [], rate: 0 },
    disk: isDiskTrouble
      ? { codes: chance.some(['EIO', 'ENOSPC'] as const, 0.7), rate: chance.next() * 0.1 }
      : { codes: [], rate: 0 },
    lagMs: chance.happens(0.4) ? chance.between(0, 9) * second : 0,
    isLive,
    hides: isLive && chance.happens(0.5),
    hidesKey: seed % 4 === 3,
    crowd: chance.happens(0.25) ? 110 : 0,
    duplicates: chance.pick(['reject', 'accept', 30 * second] as const),
    deaths: Array.from({ length: chance.between(0, 4) }, () => ({
      act: chance.between(1, 60),
      when: chance.pick(['before', 'after'] as const),
    })),
    clocks: Array.from({ length: 8 }, () => ({
      wrongBy: chance.happens(0.3) ? chance.between(-3, 3) * hour : chance.between(-5, 5) * second,
      jump: chance.happens(0.3) ? chance.between(-90, 90) * minute : 0,
    })),
    answers: chance.pick(answerForms),
    cancels,
    ...(family && { family }),
  };
}

/** A fifth of the seeds has an account whose key serves one family: the first, or the second. */
function familyAt(seed: number): Family | undefined {
  return seed % 10 === 3 ? families[0] : seed % 10 === 7 ? families[1] : undefined;
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** A name of lower-case letters for a number. */
function wordOf(seed: number): string {
  let word = '';
  for (let left = seed; left >= 0; left = Math.floor(left / 26) - 1) {
    word = String.fromCharCode(97 + (left % 26)) + word;
  }
  return `swarm${word}`;
}
