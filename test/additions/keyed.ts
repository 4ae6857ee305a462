/**
 * An operation that places orders under other names of its fields: its file declares how they are proved. What the
 * engine, the plan and the report do with them needs no file.
 */
import { before, type Addition } from './addition.ts';
import { client } from './client.ts';

export const keyed: Addition = {
  name: 'an operation that places orders',
  files: [
    {
      file: 'exchange/api/companions/unified/deal.ts',
      text: `/** Places one spot order of a unified account, in other words. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { orderLists } from '../../order-lists.ts';
import { choice, optional, record, text } from '../../schema.ts';
import { decimalText, idText, plainWord, symbolName } from '../../vocabulary.ts';

export const deal = operation({
  title: 'Deal',
  method: 'POST',
  path: '/api/v3/trade/deal',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'keyed',
  key: 'tag',
  keyed: {
    id: 'number',
    fields: {
      line: { always: 'SPOT' },
      symbol: 'pair',
      side: 'way',
      size: 'quantity',
      price: 'limitPrice',
      type: 'kind',
    },
    markets: { SPOT: 'SPOT' },
    closes: [],
    neverRests: [{ when: [{ kind: ['market'] }] }],
    lookup: { lists: orderLists },
    compared: [
      { field: 'pair', row: 'symbol', by: 'word' },
      { field: 'way', row: 'side', by: 'side' },
      { field: 'quantity', row: 'qty', by: 'size' },
      { field: 'limitPrice', row: 'price', by: 'price', when: [{ kind: ['limit'] }] },
    ],
    checked: { prices: ['limitPrice'], contradictions: [] },
    shown: { direction: [{ of: ['way'] }], terms: [{ kind: 'line' }] },
  },
  input: record({
    pair: symbolName,
    way: choice(['buy', 'sell']),
    kind: choice(['limit', 'market']),
    quantity: decimalText('In the base coin'),
    limitPrice: optional(decimalText('Price')),
    tag: optional(text({ minLength: 1, maxLength: 32, description: 'Your own id' })),
  }),
  output: record({ number: idText('Order id'), tag: plainWord('Your own id') }),
  doubts: [],
});
`,
    },
    {
      file: 'exchange/api/companions/index.ts',
      edits: [
        before(
          "import { getOrder } from './unified/get-order.ts';",
          "import { deal } from './unified/deal.ts';\n",
        ),
        before("  'trade/place-order': placeOrder,", "  'trade/deal': deal,\n"),
      ],
    },
    {
      file: 'sandbox/handlers/deal.ts',
      text: `/** A spot order in other words. */
import type { Handler } from './handler.ts';
import { placeUnifiedOrder } from './unified-orders.ts';

export const deal: Handler<'trade/deal'> = (input, context) => {
  const { pair: symbol, way: side, kind: orderType, quantity: qty, limitPrice, tag } = input;
  const price = limitPrice === undefined ? {} : { price: limitPrice };
  const name = tag === undefined ? {} : { clientOid: tag };
  const order = { category: 'SPOT', symbol, side, orderType, qty, ...price, ...name } as const;
  const { orderId = '', clientOid } = placeUnifiedOrder(order, context);
  return { number: orderId, tag: clientOid };
};
`,
    },
    {
      file: 'sandbox/handlers/index.ts',
      edits: [
        before(
          "import { listTickers } from './tickers.ts';",
          "import { deal } from './deal.ts';\n",
        ),
        before("  'trade/place-order': placeUnifiedOrder,", "  'trade/deal': deal,\n"),
      ],
    },
  ],
  shows: `${client}
import { TransportError } from './src/exchange/api/exchange.ts';
import { emptyJournal, journalOver, readJournal } from './src/engine/journal/journal.ts';
import { writesIn } from './src/engine/journal/writes.ts';
import { driftOf } from './src/engine/plan/drift.ts';
import { observerOf } from './src/engine/plan/observe.ts';
import { makePlan } from './src/engine/plan/planner.ts';
import { run } from './src/engine/runtime/run.ts';
import { loadPlaybook } from './src/language/load.ts';
import { ordersOf } from './src/report/orders.ts';
import { documentRenderer } from './src/report/renderer.ts';
import { storyOf } from './src/report/story.ts';
import { plannedWords } from './src/report/words.ts';

const { signal } = new AbortController();
const destination = { profile: 'main', target: 'sandbox', host: 'in-process', keyFingerprint: '00000000' };
const textOf = (price) => \`
playbook: 1
name: deals
guards: { max-order-notional: 50 }
steps:
  - { id: deal, uses: trade/deal, with: { pair: BTCUSDT, way: buy, kind: limit, quantity: "0.001", limitPrice: "\${price}" } }
\`;
const { problems } = loadPlaybook(textOf('60000'), 'deals.yaml');
const { playbook } = loadPlaybook(textOf('41000'), 'deals.yaml');
const common = { playbook, inputs: {}, destination, ledger: new Map(), clock };
const { maxOrderNotional } = playbook.guards;
const plan = await makePlan({
  ...common, exchange: client, guards: { maxOrderNotional }, isOffline: false,
  observedAt: clock.now(), run: 'r-1', signal, open: () => undefined,
});
const [planned] = plan.steps.flatMap(({ actions }) => actions);

async function live(loss, guards = {}) {
  let disk = '';
  let isLost = true;
  const exchange = createClient({
    transport: async (request, stop) => {
      if (request.operation !== 'trade/deal' || !isLost) return sandbox.transport(request, stop);
      isLost = false;
      if (loss === 'after') await sandbox.transport(request, stop);
      if (loss !== 'none') throw new TransportError('connection reset', 'maybe');
      return sandbox.transport(request, stop);
    },
    clock, random: seededRandom(1), credentials: { apiKey, secretKey, passphrase },
  });
  const file = { write: async (text) => void (disk += text), sync: async () => undefined, close: async () => undefined };
  await run({
    ...common, runId: 'r-' + loss, journal: journalOver(file, clock, emptyJournal), earlier: [],
    account: { destination, exchange, onDoubt: 'resend' },
    time: clock.now(), accounts: [], guards, origin: { program: 'test' },
    world: { workspace: '.', documents: documentRenderer('test'), secret: (name) => name },
    drain: signal, halt: signal, onEntry: () => undefined,
  });
  return readJournal(disk, 'journal').entries;
}
const outcomeIn = (entries) => entries.findLast(({ kind }) => kind === 'settled').outcome;

const found = await live('after');
const began = clock.now();
const again = await live('before');
const waited = clock.now() - began;
const blocked = await live('none', { maxOrderNotional: '40' });
const there = [];
for await (const { rows } of client.pages('order/list-open', { category: 'SPOT' })) there.push(...rows);
const lineOf = async (entries) => {
  const accounts = [{ profile: 'main', observer: observerOf(client, signal) }];
  const { lines: [line] } = await driftOf({ writes: writesIn('r', entries), sentHere: async () => new Set(),
      endedHere: async () => new Map(), accounts, now: clock.now() });
  return [line.kind, line.recorded, line.shown];
};
const [shown] = ordersOf(storyOf(found));
console.log(JSON.stringify({
  problems: problems.map(({ code, message }) => code + ' ' + message),
  planned: [plannedWords(planned), planned.change.kind, planned.order.notional, plan.totals.orders, plan.totals.openOrdersAfter],
  found: [outcomeIn(found).kind, outcomeIn(found).evidence, Object.keys(outcomeIn(found).output)],
  again: [outcomeIn(again).kind, outcomeIn(again).evidence, waited > 40_000],
  blocked: [outcomeIn(blocked).code, outcomeIn(blocked).message],
  there: there.filter(({ clientOid }) => clientOid.startsWith('dh')).length,
  drift: await lineOf(found),
  shown: [shown.symbol, shown.side, shown.size, shown.price, shown.coin, shown.state],
}));
`,
  shown: {
    problems: ['PB414 the order is worth 60, above max-order-notional 50'],
    planned: ['BTCUSDT buy 0.001 @ 41,000, SPOT', 'create', '41', 1, 2],
    found: ['done', 'looked-up', ['number', 'tag']],
    again: ['done', 'answered', true],
    blocked: ['guard', 'blocked by a guard: deal: the order is worth 41 USD; 40 is allowed'],
    there: 2,
    drift: ['same', 'BTCUSDT buy 0.001 @ 41000, done', 'live'],
    shown: ['BTCUSDT', 'buy', '0.001', '41000', 'USDT', 'placed'],
  },
};
