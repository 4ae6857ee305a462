/** A loop of four orders of which the exchange refuses the third: the files of a desk, wrong and corrected. */

const order = (fields: string): string =>
  `{ symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, orderType: limit, ${fields} }`;

export const ofRow = order(
  'side: "{{ each.value.side }}", tradeSide: "{{ each.value.kind }}", price: "{{ each.value.price }}", size: "{{ each.value.size }}"',
);

const record =
  'type: list, items: { type: record, fields: { name: { type: string }, side: { type: string }, kind: { type: string }, price: { type: decimal }, size: { type: decimal } } }';

/** @param key the field that identifies a row; default: its position */
export const halfLoop = (key?: string): string => `playbook: 1
name: job
account: main
inputs:
  orders: { ${record} }
steps:
  - id: enter
    for-each: "{{ inputs.orders }}"${key === undefined ? '' : `\n    key: "{{ each.value.${key} }}"`}
    uses: futures/place-order
    with: ${ofRow}
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
outputs:
  ids: "{{ steps.enter.response }}"
`;

/** There is no position that the third order could close. */
export const wrongRows = `name,side,kind,price,size
a,buy,open,40000.0,0.001
b,buy,open,41000.0,0.002
c,sell,close,90000.0,0.003
d,buy,open,43000.0,0.004
`;

export const rightRows = wrongRows.replace('sell,close,90000.0', 'buy,open,42000.0');

/** A playbook that places two orders of a row. */
export const twoOrders = `playbook: 1
name: inner
inputs:
  side: { type: string }
  kind: { type: string }
  price: { type: decimal }
steps:
  - id: first
    uses: futures/place-order
    with: ${order('side: buy, tradeSide: open, price: "{{ inputs.price }}", size: "0.001"')}
  - id: second
    uses: futures/place-order
    with: ${order('side: "{{ inputs.side }}", tradeSide: "{{ inputs.kind }}", price: "{{ inputs.price }}", size: "0.002"')}
outputs: { id: "{{ steps.second.response.orderId }}" }
`;
