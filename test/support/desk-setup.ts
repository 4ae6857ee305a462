/** An invented playbook with its inputs, and the beginning of a journal of it. */
import { sha256 } from '../../src/base/json.ts';
import { nameFor } from '../../src/base/name.ts';
import type { Destination, Event } from '../../src/engine/journal/entry.ts';
import { startOfRuns } from './tape.ts';
import { limitInput } from './order.ts';

export const deskText = `playbook: 1
name: desk-setup
description: Sub-accounts, leverage and an entry ladder for one desk.

inputs:
  symbol: { type: string, default: BTCUSDT }
  sizes: { type: list, default: ["0.010", "0.010", "0.010", "0.010", "9.000"] }

account: main

steps:
  - id: subs
    for-each: [alpha, bravo, charlie]
    uses: account/create-sub
    once-per: playbook
    with:
      username: "{{ each.value }}"
      accountMode: unified

  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: 5 }

  - id: ladder
    name: Entry ladder below the market
    needs: [leverage]
    for-each: "{{ zip inputs.prices inputs.sizes }}"
    uses: futures/place-order
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
    needs: [ladder]
    uses: order/list-open
    with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" }
    until: "{{ containsAll (pluck response.list 'clientOid') (pluck steps.ladder.outputs 'clientOid') }}"
    poll: { every: 1s, for: 20s }

  - id: volume
    name: Trade volume of the customers, last 90 days
    uses: agent/list-trade-volume
    write: { file: "out/volume-2026-11-20.csv" }
    expect:
      - { that: "{{ gt rows 500 }}", level: warn }
`;

export const sandbox: Destination = { profile: 'sandbox', target: 'sandbox', host: 'in-process' };
export const live: Destination = {
  profile: 'mm-main',
  target: 'live',
  host: 'api.exchange.example',
  keyFingerprint: '9f86d081',
};

export const lineOf = (id: string): number =>
  deskText.split('\n').findIndex((line) => line.includes(`- id: ${id}`)) + 1;

export function started(run: string, destination: Destination = sandbox): Event {
  return {
    kind: 'started',
    run,
    playbook: {
      name: 'desk-setup',
      file: 'playbooks/desk-setup.yaml',
      digest: sha256(deskText),
      text: deskText,
    },
    destination,
    plan: 'p-41c9d2aa',
    inputs: { symbol: 'BTCUSDT' },
    time: startOfRuns,
    program: 'deskhand 0.1.0',
    steps: [
      { id: 'subs', uses: 'account/create-sub', line: lineOf('subs') },
      { id: 'leverage', uses: 'futures/set-all-leverage', line: lineOf('leverage') },
      {
        id: 'ladder',
        uses: 'futures/place-order',
        name: 'Entry ladder below the market',
        line: lineOf('ladder'),
      },
      { id: 'verify', uses: 'order/list-open', line: lineOf('verify') },
      {
        id: 'volume',
        uses: 'agent/list-trade-volume',
        name: 'Trade volume of the customers, last 90 days',
        line: lineOf('volume'),
      },
    ],
  };
}

export const prices = ['61500.0', '61250.0', '61000.0', '60750.0', '60500.0'] as const;

export function orderInput(price: string, size = '0.010'): { readonly [key: string]: string } {
  return {
    ...limitInput({ price, size, force: 'post_only' }),
    clientOid: clientOidOf(price),
  };
}

export const clientOidOf = (price: string): string => `dh${nameFor(price, 26)}`;
export const orderIdOf = (index: number): string => `12790455310${20 + index * 7}`;
