/** A limit order of BTCUSDT: the input of its step, and as the text of a playbook. */

interface LimitOrder<Force extends string = string> {
  readonly price: string;
  readonly size?: string;
  readonly force?: Force;
}

/** The input of a step that buys. */
export function limitInput<Force extends string = never>({
  price,
  size = '0.001',
  force,
}: LimitOrder<Force>) {
  return {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'limit',
    ...(force !== undefined && { force }),
    price,
    size,
  } as const;
}

/** The fields below the `with:` of a step that buys, indented for it. */
export function limitOrder({ force = 'gtc', ...order }: LimitOrder): string {
  const fields = Object.entries(limitInput({ ...order, force }));
  return fields
    .map(([name, value]) => `\n      ${name}: ${/^[a-z]/i.test(value) ? value : `"${value}"`}`)
    .join('');
}
