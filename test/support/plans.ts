/** An invented plan: a sub-account known from the ledger, leverage, orders, a read into a file. */
import { sha256 } from '../../src/base/json.ts';
import type { Plan, PlannedAction } from '../../src/engine/plan/plan.ts';
import { deskText, live, orderInput, prices } from './desk-setup.ts';
import { startOfRuns } from './tape.ts';

/** @param orders how many; five by default */
export function samplePlan(orders: number = prices.length): Plan {
  const ladder = Array.from({ length: orders }, (_, index): PlannedAction => {
    const price = prices[index] ?? `${50_000 + index}.0`;
    return {
      address: `ladder[${price}]`,
      key: price,
      operation: 'futures/place-order',
      change: { kind: 'create' },
      input: orderInput(price),
      order: { notional: '615.000', mark: '62014.5', distance: '-0.0083' },
    };
  });
  return {
    version: 2,
    id: 'p-41c9d2aa',
    nonce: 'abcdefgh01234567',
    run: 'r-7k2m',
    contract: sha256('contract'),
    isOffline: false,
    playbook: {
      name: 'desk-setup',
      file: 'playbooks/desk-setup.yaml',
      digest: sha256(deskText),
      text: deskText,
    },
    destination: live,
    authors: ['ann@desk.example'],
    inputs: {},
    observedAt: startOfRuns,
    reads: [],
    expiresAt: startOfRuns + 900_000,
    steps: [
      {
        id: 'volume',
        uses: 'agent/list-trade-volume',
        effect: 'read',
        file: 'out/volume.csv',
        actions: [
          {
            address: 'volume',
            operation: 'agent/list-trade-volume',
            change: { kind: 'read', requests: 12 },
            input: {},
          },
        ],
      },
      {
        id: 'subs',
        uses: 'account/create-sub',
        effect: 'once',
        actions: [
          {
            address: 'subs[alpha]',
            key: 'alpha',
            operation: 'account/create-sub',
            change: { kind: 'none', because: 'created before' },
            confidence: { kind: 'from-ledger', run: 'r-6x0p' },
            input: { username: 'alpha' },
          },
        ],
      },
      {
        id: 'leverage',
        uses: 'futures/set-all-leverage',
        effect: 'set',
        actions: [
          {
            address: 'leverage',
            operation: 'futures/set-all-leverage',
            change: { kind: 'set' },
            confidence: { kind: 'cannot-be-read-back' },
            input: { productType: 'USDT-FUTURES', leverage: { 'known-after': 'subs' } },
            note: 'only symbols with an open position change',
          },
        ],
      },
      { id: 'ladder', uses: 'futures/place-order', effect: 'keyed', actions: ladder },
      { id: 'later', uses: 'futures/place-order', effect: 'keyed', actions: [] },
    ],
    totals: {
      create: orders,
      set: 1,
      unchanged: 1,
      requests: 34,
      seconds: 6,
      orders,
      notional: '3075',
      openOrdersAfter: 15,
    },
    guards: [
      { guard: 'max-writes', limit: '20', used: '6', isKept: true, message: 'kept' },
      {
        guard: 'max-distance',
        limit: '0.05',
        used: '0.9784',
        isKept: false,
        message: 'ladder[60500.0] is 97.84 % away from the mark price',
      },
    ],
    marks: { BTCUSDT: '62014.5' },
    quotes: { BTCUSDT: { mark: '62014.5' } },
    positions: {},
    digest: sha256('plan'),
  };
}
