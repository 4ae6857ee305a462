/** A step of a playbook that buys, as text. */

interface LimitOrder {
  readonly price: string;
  readonly size?: string;
  readonly force?: string;
}

/** What is there below the `with:` of a step that places a limit order of BTCUSDT, indented for it. */
export function limitOrder({ price, size = '0.001', force = 'gtc' }: LimitOrder): string {
  return `
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      force: ${force}
      price: "${price}"
      size: "${size}"`;
}
