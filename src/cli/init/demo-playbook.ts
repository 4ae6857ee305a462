/** The playbook that `demo` writes for users to edit. */

export const demoPlaybook = `playbook: 1
name: demo
description: >
  One desk on the built-in exchange: a sub-account, a first position, leverage, a ladder of resting
  orders, and two tables. Running it again creates and places nothing a second time.

inputs:
  symbol: { type: string, default: BTCUSDT }
  leverage: { type: integer, minimum: 1, maximum: 20, default: 5 }
  rungs: { type: integer, minimum: 1, maximum: 20, default: 3 }
  budget: { type: decimal, default: 0.030, description: Total size of the ladder in the base coin }

guards:
  max-writes: 30
  max-notional: 10000
  symbols: ["{{ inputs.symbol }}"]

steps:
  - id: account
    name: A virtual sub-account for the desk
    uses: account/create-sub
    once-per: playbook
    with: { username: demo, accountMode: unified, note: made by the demo }

  - id: position
    name: A first position, at market
    uses: futures/place-order
    once-per: playbook
    with:
      symbol: "{{ inputs.symbol }}"
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: market
      size: 0.010

  - id: leverage
    name: Leverage of the whole line
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "{{ inputs.leverage }}" }
    expect:
      - that: "{{ eq response 'success' }}"

  - id: ladder
    name: Resting buy orders below the market
    for-each: "{{ ladder from=40000 to=39000 count=inputs.rungs tick=0.1 total=inputs.budget lot=0.001 }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    once-per: playbook
    with:
      symbol: "{{ inputs.symbol }}"
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      force: post_only
      price: "{{ each.value.price }}"
      size: "{{ each.value.size }}"

  - id: verify
    name: The exchange shows every order
    uses: order/list-open
    with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" }
    expect:
      - that: "{{ containsAll (pluck response.list 'clientOid') (pluck steps.ladder.outputs 'clientOid') }}"
        message: not every order of the ladder is still resting
        level: warn

  - id: bills
    name: Fees and funding of the last 30 days
    uses: futures/list-bills
    with:
      productType: USDT-FUTURES
      startTime: "{{ daysAgo 30 }}"
      endTime: "{{ run.time }}"
    write:
      file: demo/bills.csv
      sort: [cTime, billId]

  - id: volume
    name: Trade volume of referred customers, last 7 days
    uses: agent/list-trade-volume
    with:
      startTime: "{{ daysAgo 7 tz='+08:00' }}"
      endTime: "{{ addTime (startOfDay tz='+08:00') '-1ms' }}"
    write:
      file: demo/volume.csv
      columns:
        uid: "{{ row.uid }}"
        day: "{{ date row.time 'yyyy-MM-dd' tz='+08:00' }}"
        volume: "{{ row.volumn }}"
      sort: [day, uid]
`;
