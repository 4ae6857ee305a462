/** Playbooks of a fleet: parts that place orders, each at its own price, and what may come of it. */
import type { Chance } from '../../../src/rehearsal/simulation/chance.ts';

export const productTypes = ['USDT-FUTURES', 'COIN-FUTURES'] as const;
export type Line = (typeof productTypes)[number];

export const symbolOf: Readonly<Record<Line, string>> = {
  'USDT-FUTURES': 'BTCUSDT',
  'COIN-FUTURES': 'BTCUSD',
};

/** An order a playbook means to place; its price tells it from every other of a seed. */
export interface Rung {
  readonly price: string;
  readonly productType: Line;
  readonly side: Side;
  /** Of rungs with one word here at most one is placed: they are in for each other. */
  readonly insteadOf?: string;
  /** The place whose playbook has limits of its own. */
  readonly within?: string;
}

type Side = 'buy' | 'sell';

const kinds = [
  /** Orders of the run itself. */
  'ladder',
  /** Orders that stand once for all runs of the playbook. */
  'grid',
  /** A playbook within, once for each desk. */
  'desks',
  /** The same, at prices that follow from what is read there. */
  'quoted',
  /** A second order where the first one failed. */
  'fallback',
  /** Orders whose number is known only after the first. */
  'later',
] as const;

export interface Part {
  readonly kind: (typeof kinds)[number];
  readonly productType: Line;
  readonly side: Side;
  readonly parallel: number;
  /** Of rungs, where the kind does not say it. */
  readonly count: number;
  /** Where prices begin that all runs of the playbook share. */
  readonly grid: number;
  /** Writes each playbook within may do. */
  readonly deskWrites?: number;
}

export interface Draft {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Whether a sub-account is created, too. */
  readonly hasSub: boolean;
  readonly guards: Readonly<Record<string, string>>;
}

const size = '0.010';

export function draftOf(name: string, grid: number, chance: Chance, used: readonly Line[]): Draft {
  const parts = Array.from({ length: chance.between(1, 2) }, (): Part => {
    const kind = chance.pick(kinds);
    return {
      kind,
      productType: chance.pick(used),
      side: chance.happens(0.7) ? 'buy' : 'sell',
      parallel: chance.between(1, 2),
      count: chance.between(1, 3),
      grid,
      ...(chance.happens(0.2) && { deskWrites: 1 }),
    };
  });
  return { name, parts, hasSub: chance.happens(0.15), guards: {} };
}

/** How a playbook is written down: a person edits it between runs. */
export interface Edition {
  /** Rungs put in front of those that were there. */
  readonly before: number;
  /** `0.01` for `0.010`. */
  readonly isShort: boolean;
  /** Fields in another order. */
  readonly isTurned: boolean;
}

export interface Written {
  readonly text: string;
  readonly includes: Readonly<Record<string, string>>;
}

/** The text of a draft; `base` of a run's own prices is an input, and so is the name of its sub. */
export function written(draft: Draft, edition: Edition): Written {
  const guards = Object.entries(draft.guards).map(([name, limit]) => `${name}: ${limit}`);
  const steps = draft.parts.map((part, place) => stepsOf(part, place, edition));
  const text = [
    'playbook: 1',
    `name: ${draft.name}`,
    'inputs: { base: { type: integer }, sub: { type: string } }',
    ...(guards.length > 0 ? [`guards: { ${guards.join(', ')} }`] : []),
    'steps:',
    ...steps,
    ...(draft.hasSub ? [subStep] : []),
    '',
  ].join('\n');
  const includes = draft.parts.flatMap((part, place): [string, string][] => {
    if (part.kind !== 'desks' && part.kind !== 'quoted') return [];
    return [[`within-${place}.yaml`, withinText(part, place, edition)]];
  });
  return { text, includes: Object.fromEntries(includes) };
}

const subStep = `
  - id: sub
    uses: account/create-sub
    with: { username: "{{ inputs.sub }}" }`;

const spacing = 100; // prices between two parts of a run
const digits = 10; // prices a rung may have that follows what is read

/** What one run of the playbook may place. @param base of its own prices */
export function rungsOf({ parts }: Draft, edition: Edition, base: number): readonly Rung[] {
  return parts.flatMap((part, place): readonly Rung[] => {
    const { kind, count, productType, side } = part;
    const from = base + place * spacing;
    const own = (offset: number, more: Partial<Rung> = {}): Rung => {
      return { price: String(from + offset), productType, side, ...more };
    };
    switch (kind) {
      case 'ladder':
        return range(count).map((n) => own(n));
      case 'grid':
        return gridPrices(part, place, edition).map((price) => ({ price, productType, side }));
      case 'desks':
        return range(4).map((n) => own(n, { within: `${place}-${n >> 1}` }));
      case 'quoted':
        return range(4 * digits).map((n) => {
          const rung = Math.floor(n / digits);
          return own(n, { within: `${place}-${rung >> 1}`, insteadOf: `${from}+${rung}` });
        });
      case 'fallback':
        return range(2).map((n) => own(n, { insteadOf: `${from}` }));
      case 'later':
        return range(count + 1).map((n) => own(n));
    }
  });
}

function gridPrices({ count, grid }: Part, place: number, { before }: Edition): readonly string[] {
  return range(count + before).map((n) => String(grid + spacing * place + n - before));
}

function stepsOf(part: Part, place: number, edition: Edition): string {
  const { kind, count, parallel } = part;
  const from = `(add inputs.base ${place * spacing})`;
  const order = (price: string): string => orderFields(part, price, edition);
  switch (kind) {
    case 'ladder':
      return `
  - id: ladder-${place}
    for-each: "{{ range ${from} (add ${from} ${count - 1}) }}"
    parallel: ${parallel}
    uses: futures/place-order
    with: ${order('{{ each.value }}')}`;
    case 'grid':
      return `
  - id: grid-${place}
    for-each: [${gridPrices(part, place, edition).join(', ')}]
    key: "at-{{ each.value }}"
    parallel: ${parallel}
    once-per: playbook
    uses: futures/place-order
    with: ${order('{{ each.value }}')}`;
    case 'desks':
    case 'quoted':
      return `
  - id: within-${place}
    for-each: [0, 1]
    key: "desk-{{ each.value }}"
    uses: ./within-${place}.yaml
    with: { from: "{{ add ${from} (mul ${kind === 'desks' ? 2 : 2 * digits} each.value) }}" }`;
    case 'fallback':
      return `
  - id: first-${place}
    on-error: continue
    uses: futures/place-order
    with: ${order(`{{ ${from.slice(1, -1)} }}`)}
    outputs: { order: "{{ response.orderId }}" }
  - id: second-${place}
    if: "{{ eq (default steps.first-${place}.outputs.order 'none') 'none' }}"
    uses: futures/place-order
    with: ${order(`{{ add ${from} 1 }}`)}`;
    case 'later': {
      const known = `(length (split steps.seed-${place}.response.orderId '-'))`; // it is 1
      return `
  - id: seed-${place}
    uses: futures/place-order
    with: ${order(`{{ ${from.slice(1, -1)} }}`)}
  - id: later-${place}
    for-each: "{{ range (add ${from} 1) (add ${from} ${count - 1} ${known}) }}"
    parallel: ${parallel}
    uses: futures/place-order
    with: ${order('{{ each.value }}')}`;
    }
  }
}

/** Two rungs; where they follow what is read, the last digit of the price of the last trade is added. */
function withinText(part: Part, place: number, edition: Edition): string {
  const { kind, deskWrites, parallel, productType } = part;
  const last = "(first (pluck steps.look.response 'lastPrice'))";
  const digit = `(mul ${digits} (sub ${last} (floorTo ${last} 1)))`;
  const price = `add inputs.from (mul ${digits} each.value) ${digit}`;
  const isQuoted = kind === 'quoted';
  const look = `
  - id: look
    uses: market/list-tickers
    with: { category: ${productType}, symbol: ${symbolOf[productType]} }`;
  return `playbook: 1
name: within-${place}
inputs: { from: { type: integer } }
${deskWrites === undefined || isQuoted ? '' : `guards: { max-writes: ${deskWrites} }\n`}steps:${isQuoted ? look : ''}
  - id: rungs
    for-each: ${isQuoted ? '[0, 1]' : '"{{ range inputs.from (add inputs.from 1) }}"'}
    key: "at-{{ ${isQuoted ? price : 'each.value'} }}"
    parallel: ${parallel}
    uses: futures/place-order
    with: ${orderFields(part, `{{ ${isQuoted ? price : 'each.value'} }}`, edition)}
`;
}

function orderFields({ productType, side }: Part, price: string, edition: Edition): string {
  const fields = [
    `symbol: ${symbolOf[productType]}`,
    `productType: ${productType}`,
    'marginMode: crossed',
    `marginCoin: ${productType === 'USDT-FUTURES' ? 'USDT' : 'BTC'}`,
    `side: ${side}`,
    'tradeSide: open',
    'orderType: limit',
    `price: "${price}"`,
    `size: "${edition.isShort ? '0.01' : size}"`,
  ];
  return `{ ${(edition.isTurned ? fields.toReversed() : fields).join(', ')} }`;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
