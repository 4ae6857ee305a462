/** `orders`: the orders of all runs, with the run, plan and people behind each; with --now as the exchange shows them. */
import { decimal } from '../../base/decimal.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { readableRuns } from '../../engine/journal/run-list.ts';
import { configOf } from '../../app/config/opened.ts';
import type { OrdersOutput, OrderSum } from '../../app/documents/order-documents.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { orderSums } from '../../app/orders/order-sums.ts';
import { ordersCsv } from '../../app/orders/orders-csv.ts';
import { ordersNow } from '../../app/orders/orders-now.ts';
import {
  recordedOrders,
  type OrderFilter,
  type OrdersOfRun,
} from '../../app/orders/recorded-orders.ts';
import { StoredOrders } from '../../app/orders/stored-orders.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { stateWord, toneOf } from '../../report/states.ts';
import { moment, money } from '../../report/words.ts';
import { momentOf } from '../args/moment.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { printShared } from '../running/shared.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'csv']);
  const wanted = wantedIn(args);
  const config = await configOf(context);
  await printShared(config, context);
  const runs = await readableRuns(config.stateDir);
  const stored = new StoredOrders(config.stateDir);
  const read = (run: string): Promise<OrdersOfRun> => stored.of(run);
  const { orders: found, damages } = await recordedOrders(runs, wanted, read);
  await stored.keep();
  const problems = [...runs.unnamed.map(({ because }) => because), ...damages];
  const orders = args.isOn('now')
    ? await stoppable(context, ({ drain }) => ordersNow(found, runs, config, context, drain))
    : found.map(({ order }) => order);
  const output: OrdersOutput = { version: 1, orders, sums: orderSums(orders), damages: problems };
  if (format === 'json') out.json(output);
  if (format === 'csv') out.line(ordersCsv(orders).join('\n'));
  if (format === 'text') out.line(textOf(output, out.theme).join('\n'));
  for (const problem of problems) err.line(err.theme.paint('bad', plainText(problem)));
  return problems.length === 0 ? exits.done : exits.stopped;
}

/** @throws UsageError for a range that has no moment */
function wantedIn(args: Args): OrderFilter {
  const [from = -Infinity, to = Infinity] = [momentOf(args, 'from'), momentOf(args, 'to')];
  if (from >= to) throw new UsageError('--from must be before --to', '--to is exclusive');
  const names = ['playbook', 'account', 'symbol', 'state', 'id'] as const;
  const given = names.flatMap((name) => {
    const text = args.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { from, to, ...Object.fromEntries(given) };
}

function textOf({ orders, sums }: OrdersOutput, theme: Theme): readonly string[] {
  if (orders.length === 0) return ['no orders'];
  const { paint } = theme;
  const rows = orders.map((order) => [
    `${moment(order.sentAt)}Z`,
    plainText(order.symbol, 20),
    plainText(order.side, 20),
    `${plainText(order.size, 20)} ${order.price === '' ? 'at market' : `@ ${plainText(order.price, 20)}`}`,
    paint(toneOf(order.state), stateWord(order.state)),
    ...(order.now === undefined ? [] : [stateWord(plainText(order.now, 40))]),
    plainText(order.account, 30),
    paint('strong', plainText(order.run, 60)),
    plainText(order.address, 60),
  ]);
  return [...columns(rows, theme, { indent: 0 }), '', ...sumLines(sums, theme)];
}

function sumLines(sums: readonly OrderSum[], theme: Theme): readonly string[] {
  const rows = sums.map(({ day, symbol, coin, orders, notional, atMarket }) => [
    day,
    plainText(symbol, 20),
    count(orders, 'order'),
    `${money(decimal(notional))} ${plainText(coin, 20)}`,
    atMarket === 0 ? '' : `${atMarket} at market`,
  ]);
  return columns(rows, theme, { indent: 0, right: [3] });
}
