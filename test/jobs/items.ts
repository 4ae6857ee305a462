/** What the step that places orders repeats over, and how an item says its price and account. */
import { ordersIn } from './calls.ts';
import type { Choice } from './features.ts';

export interface Items {
  /** The value of `for-each`; undefined without items. */
  readonly over: unknown;
  /** The input that `for-each` reads, with its type and its values. */
  readonly input?: { readonly type: Readonly<Record<string, unknown>>; readonly value: unknown };
  readonly price: string;
  readonly account: string;
  readonly size: string;
  readonly keys: { readonly value: string; readonly composed: string };
  readonly count: number;
}

export const prices = ['50000.0', '50100.0', '50200.0'] as const;
const accounts = ['main', 'alpha', 'bravo'] as const;
const size = '0.001';

const legs = prices.map((price, at) => ({ price, size: `0.00${at + 1}`, account: accounts[at] }));
const fieldsOfLeg = {
  price: { type: 'decimal' },
  size: { type: 'decimal', minimum: '0.001' },
  account: { type: 'enum', values: accounts },
  note: { type: 'string', optional: true },
};
const byAccount = Object.fromEntries(legs.map(({ account, price }) => [account, Number(price)]));

/** @param from where the input is read, because a nested playbook has its own */
export function itemsOf(choice: Choice): Items {
  const { item, account } = choice;
  const isByAccount = account === 'item';
  const none = { price: prices[0], account: 'main', size, count: 3 };
  const byValue = { value: '{{ each.value }}', composed: 'k-{{ each.value }}' };
  const byPrice = { value: '{{ each.value.price }}', composed: 'p{{ each.value.price }}' };
  const ofLeg = {
    price: '{{ each.value.price }}',
    account: '{{ each.value.account }}',
    size: '{{ each.value.size }}',
    count: 3,
    keys: byPrice,
  };
  const ofMap = {
    price: '{{ each.value }}',
    account: '{{ each.key }}',
    size,
    count: 3,
    keys: { value: '{{ each.key }}', composed: '{{ each.key }}-{{ each.value }}' },
  };
  const ofPlain = isByAccount
    ? { ...none, account: '{{ each.value }}', keys: byValue }
    : { ...none, price: '{{ each.value }}', keys: byValue };
  const ofOffset = { ...ofPlain, price: '{{ sub each.value 0.25 }}', count: 2 };
  const plain: readonly unknown[] = isByAccount ? accounts : prices;
  switch (item) {
    case 'none':
      return { ...none, over: undefined, count: 1, keys: byValue };
    case 'list':
      return given(
        { type: 'list', items: { type: isByAccount ? 'string' : 'decimal' } },
        plain,
        ofPlain,
      );
    case 'untyped':
      return isByAccount
        ? given({ type: 'list' }, plain, ofPlain)
        : given({ type: 'list' }, [50_000.25, 50_100.25], ofOffset);
    case 'maps':
      return given({ type: 'list', items: { type: 'map' } }, legs, ofLeg);
    case 'records':
      return given({ type: 'list', items: { type: 'record', fields: fieldsOfLeg } }, legs, ofLeg);
    case 'map':
      return given({ type: 'map', items: { type: 'decimal' } }, byAccount, ofMap);
    case 'range': {
      const price = '{{ mul each.value 10000 }}';
      const over = '{{ range 4 inputs.items }}';
      return {
        ...given({ type: 'integer', minimum: 4, maximum: 9 }, 5, none),
        over,
        count: 2,
        price,
        keys: byValue,
      };
    }
    case 'literal':
      return { ...ofLeg, over: legs };
    case 'literal-map':
      return { ...ofMap, over: byAccount };
    case 'ladder': {
      const over = '{{ ladder from=inputs.items to=50000 count=3 tick=0.1 total=0.006 lot=0.001 }}';
      return { ...ofLeg, ...given({ type: 'decimal', maximum: 55_000 }, 50_400.5, ofLeg), over };
    }
    case 'read': {
      const keys = { value: '{{ each.value.symbol }}', composed: 's-{{ each.value.symbol }}' };
      const price = '{{ floorTo (mul each.value.lastPrice 0.9) 0.1 }}';
      return { ...none, over: '{{ steps.market.response }}', price, keys, count: 1 };
    }
    case 'matrix': {
      const lists = isByAccount
        ? { account: accounts, price: [prices[0]] }
        : { price: '{{ inputs.items }}', size: [size, '0.009'] };
      const exclude = isByAccount ? [{ account: 'none' }] : [{ size: '0.009' }];
      const keys = { value: '{{ each.key }}', composed: 'm-{{ each.key }}' };
      const type = { type: 'list', items: { type: isByAccount ? 'string' : 'decimal' } };
      const named = { ...ofLeg, size: isByAccount ? size : ofLeg.size, keys };
      return { ...given(type, prices, named), over: { matrix: lists, exclude } };
    }
    case 'late': {
      const keys = { value: '{{ each.value.clientOid }}', composed: 'o-{{ each.value.orderId }}' };
      return { ...none, keys, over: `{{ steps.later.response.${ordersIn(choice)} }}`, count: 1 };
    }
  }
}

function given(
  type: Readonly<Record<string, unknown>>,
  value: unknown,
  rest: Omit<Items, 'over' | 'input' | 'keys'> & Partial<Pick<Items, 'keys'>>,
): Items {
  const keys = rest.keys ?? { value: '{{ each.value }}', composed: 'k-{{ each.value }}' };
  return { ...rest, keys, over: '{{ inputs.items }}', input: { type, value } };
}
