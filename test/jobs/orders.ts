/** The step of a job that places orders: in the playbook itself, or in nested ones. */
import { cancelling, placing, type Call } from './calls.ts';
import type { Choice } from './features.ts';
import type { Items } from './items.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface OrderStep {
  readonly step: Fields;
  /** Nested playbooks by their path. */
  readonly files: Readonly<Record<string, Fields>>;
}

/** @param common keys of every step that may be in doubt: needs, if, on-error */
export function ordersOf(choice: Choice, items: Items, common: Fields): OrderStep {
  const { nest } = choice;
  const repeated = repetition(choice, items);
  const values = { price: priceOf(choice, items), account: accountOf(choice, items) };
  const own = writeKeys(choice, items);
  if (nest === 'none') {
    const account = values.account === undefined ? {} : { account: values.account };
    const order = orderOf(choice, { price: values.price, size: items.size, key: keyIn(items) });
    return { step: { ...common, ...repeated, ...account, ...own, ...order }, files: {} };
  }
  const isEach = nest !== 'orders';
  const nested = nest === 'deep' ? './parts/outer.yaml' : './parts/orders.yaml';
  const passed = passedBy(choice, items, isEach);
  const inner = {
    ...(isEach ? {} : repetition(choice, { ...items, over: passed.over })),
    ...(values.account !== undefined && {
      account: isEach || choice.account !== 'item' ? '{{ inputs.account }}' : items.account,
    }),
    ...own,
    ...orderOf(choice, {
      price: isEach || choice.price !== 'plain' ? '{{ inputs.price }}' : items.price,
      size: isEach ? '{{ inputs.size }}' : items.size,
      key: isEach ? '{{ inputs.label }}' : keyIn(items),
    }),
  };
  const orders = playbook('orders', passed.inputs, [{ id: 'place', ...inner }], {
    ids: '{{ steps.place.outputs }}',
  });
  const outer = playbook(
    'outer',
    passed.inputs,
    [
      ...(choice.read === 'nested'
        ? [
            {
              id: 'seen',
              uses: 'market/list-tickers',
              with: { category: 'USDT-FUTURES', symbol: 'ETHUSDT' },
            },
          ]
        : []),
      { id: 'deep', uses: './orders.yaml', with: handedOn(passed.inputs) },
    ],
    { ids: '{{ steps.deep.outputs.ids }}' },
  );
  const step = {
    ...common,
    ...(isEach ? repeated : {}),
    uses: nested,
    with: passed.values,
  };
  return {
    step,
    files: { 'parts/orders.yaml': orders, ...(nest === 'deep' && { 'parts/outer.yaml': outer }) },
  };
}

/** The step that cancels what the step of orders placed. */
export function cancelOf(choice: Choice, items: Items): Fields {
  const outputs = choice.nest === 'none' ? 'steps.orders.outputs' : 'steps.orders.outputs.ids';
  const isList = items.over !== undefined;
  const one = isList ? 'each.value' : outputs;
  const name =
    choice.stepOutputs === 'write'
      ? { orderId: `{{ ${one}.id }}` }
      : { clientOid: `{{ ${one}.clientOid }}` };
  const account = accountOf(choice, items);
  return {
    id: 'cancel',
    ...(isList && { 'for-each': `{{ ${outputs} }}` }),
    ...(account !== undefined && { account }),
    ...cancelling(choice, name),
  };
}

function playbook(name: string, inputs: Fields, steps: readonly Fields[], outputs: Fields): Fields {
  return { playbook: 1, name, inputs, steps, outputs };
}

function handedOn(inputs: Fields): Fields {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, `{{ inputs.${name} }}`]));
}

/** The inputs of a nested playbook and the values that the outer one gives them. */
function passedBy(choice: Choice, items: Items, isEach: boolean) {
  const price = priceOf(choice, items);
  const account = accountOf(choice, items);
  const isOfItem = !isEach && items.over !== undefined;
  const isMatrix = choice.item === 'matrix';
  const needsItems = isOfItem && (isMatrix || typeof items.over === 'string');
  const parts: readonly (readonly [string, Fields, unknown, boolean])[] = [
    ['price', { type: 'decimal' }, price, isEach || choice.price !== 'plain'],
    ['size', { type: 'decimal' }, items.size, isEach],
    [
      'label',
      { type: 'string' },
      items.over === undefined ? 'single' : '{{ each.key }}',
      isEach && choice.order === 'named',
    ],
    [
      'account',
      { type: 'string' },
      account,
      account !== undefined && (isEach || choice.account !== 'item'),
    ],
    ['items', items.input?.type ?? { type: 'list' }, items.over, needsItems],
  ];
  const kept = parts.filter(([, , , isNeeded]) => isNeeded);
  const isComputed = isMatrix || choice.item === 'range' || choice.item === 'ladder';
  return {
    over: needsItems && !isComputed ? '{{ inputs.items }}' : items.over,
    inputs: Object.fromEntries(kept.map(([name, type]) => [name, type])),
    values: Object.fromEntries(
      kept.map(([name, , value]) => [
        name,
        name === 'items' && isComputed ? '{{ inputs.items }}' : value,
      ]),
    ),
  };
}

function repetition({ key }: Choice, { over, keys }: Items): Fields {
  if (over === undefined) return {};
  return { 'for-each': over, ...(key !== 'none' && { key: keys[key] }) };
}

function writeKeys(choice: Choice, { over }: Items): Fields {
  const isEachParallel = choice.parallel === 'items' || choice.parallel === 'both';
  return {
    ...(choice.once !== 'none' && { 'once-per': choice.once }),
    ...(choice.stepOutputs === 'write' && { outputs: { id: '{{ response.orderId }}' } }),
    ...(choice.expect === 'write' && {
      expect: [{ that: "{{ ne response.orderId '' }}", message: 'it has no id' }],
    }),
    ...(isEachParallel &&
      over !== undefined &&
      choice.nest !== 'each' &&
      choice.nest !== 'deep' && { parallel: 2 }),
    ...(choice.limits === 'step' && { timeout: '20s', retry: { attempts: 4 } }),
  };
}

function priceOf({ price }: Choice, items: Items): string {
  switch (price) {
    case 'plain':
      return items.price;
    case 'input':
      return '{{ inputs.limit }}';
    case 'mark':
      return '{{ floorTo (mul steps.market.response.0.lastPrice 0.8) 0.1 }}';
    case 'late':
      return '{{ floorTo (mul steps.after-leverage.response.0.lastPrice 0.8) 0.1 }}';
  }
}

function accountOf({ account }: Choice, items: Items): string | undefined {
  switch (account) {
    case 'playbook':
      return undefined;
    case 'step':
      return 'alpha';
    case 'input':
      return '{{ inputs.desk }}';
    case 'item':
      return items.account;
  }
}

function keyIn({ over, keys }: Items): string {
  return over === undefined ? 'single' : keys.value;
}

/** @param key what tells the orders of one step apart */
function orderOf(
  choice: Choice,
  { price, size, key }: { readonly price: string; readonly size: string; readonly key: string },
): Call {
  switch (choice.order) {
    case 'limit':
      return placing(choice, { price, size });
    case 'post-only':
      return placing(choice, { price, size, force: 'post_only' });
    case 'ioc':
      return placing(choice, { price, size, force: 'ioc' });
    case 'named':
      return placing(choice, { price, size, clientOid: namedBy(key) });
    case 'market':
      return placing(choice, { size, isMarket: true });
  }
}

function namedBy(key: string): string {
  const inside = /^\{\{ (.*) \}\}$/.exec(key)?.[1] ?? `'${key}'`;
  return `{{ clientOid 'job' ${inside} }}`;
}
