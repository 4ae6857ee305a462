/** A whole document for each printed schema, for readers and tools; a test validates them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { doneRun } from '../test/support/entries.ts';
import { samplePlan } from '../test/support/plans.ts';

const workflow = (name: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, '..', 'workflows', name), 'utf8'));

const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const [firstEntry] = doneRun();
const account = { profile: 'main', target: 'live', host: 'api.exchange.example' };

/** By the name of the file without its ending. */
export const examples: Readonly<Record<string, readonly unknown[]>> = {
  playbook: [workflow('reserve-watch.yaml')],
  'playbook-test': [workflow('reserve-watch.test.yaml')],
  events: [{ version: 1, ...firstEntry }],
  journal: [{ ...firstEntry, prev: '0000000000000000' }],
  plan: [samplePlan(1)],
  manifest: [
    {
      manifest: 1,
      file: 'history.csv',
      format: 'csv',
      rows: 1,
      bytes: 45,
      sha256: digest,
      columns: ['orderId', 'symbol'],
      operation: 'order/list-history',
      input: { category: 'SPOT' },
      asked: { from: 1785542400000, to: 1785628800000 },
      covered: [{ from: 1785542400000, to: 1785628800000 }],
      clamps: [],
      pages: 1,
      duplicatesDropped: 0,
      exchangeTime: 1785628800126,
      contract: digest,
    },
    {
      manifest: 1,
      file: 'totals.csv',
      format: 'csv',
      rows: 12,
      bytes: 640,
      sha256: digest,
      columns: ['symbol', 'total'],
      made: 'table',
      of: [{ step: 'history' }],
    },
  ],
  approval: [
    {
      version: 1,
      verdict: 'approve',
      plan: 'p-41c9d2aa',
      digest,
      playbook: 'desk-setup',
      account,
      create: 5,
      set: 1,
      orders: 5,
      notional: '3075.000',
      at: 1_767_323_045_000,
      expiresAt: 1_767_326_645_000,
      comment: 'small, and far from the market',
    },
  ],
  passkeys: [
    [
      {
        who: 'ben@desk.example',
        id: 'gmjAH5XpQ2mZ1c0bq0f4Yw',
        publicKey: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
        alg: 'ES256',
        rpId: 'localhost',
        origins: ['http://localhost:8787'],
        counter: 1,
        addedAt: '2026-01-02T03:04:05Z',
      },
    ],
  ],
  guards: [{ writes: 50, notional: 50_000, order: 15_000, distance: '5%', symbols: ['BTCUSDT'] }],
  config: [
    {
      profiles: {
        main: {
          target: 'live',
          'base-url': 'https://api.exchange.example',
          'account-id': '8000000001',
          secrets: { env: 'MAIN' },
          guards: { writes: 50, notional: 50_000 },
        },
      },
      state: { store: 'git' },
    },
  ],
  scenario: [
    {
      version: 1,
      description: 'A market that falls through our bid after ten minutes',
      market: [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: 75_000 }],
      accounts: [{ uid: '8000000001' }],
      transfers: [{ uid: '8000000001', walletType: 'USDT-FUTURES', coin: 'USDT', amount: 100_000 }],
      events: [
        { after: '10m', price: { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: 73_500 } },
      ],
    },
  ],
};
