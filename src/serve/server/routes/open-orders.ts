/** `GET /accounts/{profile}/orders`: the open orders of an account, read from its exchange now. */
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { fieldOf, isRecord } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import { printedBy } from '../approvals/command.ts';
import { deskNamed } from '../context.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError, Refusal } from '../failure.ts';
import { exactRecord, parameter, reads } from '../route.ts';
import { moment } from '../shapes.ts';

const order = record({
  symbol: text(),
  side: text({ description: 'With the side of the position, if the account has two' }),
  price: text(),
  size: text(),
  filled: text(),
  status: text(),
  createdAt: moment('When it was created, by the clock of the exchange'),
  clientOid: text(),
  run: optional(text({ description: 'The run that placed it' })),
});

type Order = NonNullable<(typeof order)['infer']>;

const shownMax = 500; // orders; the command has all

export const openOrders = reads({
  title: 'Show the open orders of an account, read from its exchange now',
  role: 'operator',
  parameters: exactRecord({
    profile: parameter('The profile', 100),
    desk: optional(parameter('The desk, if several are served', 80)),
  }),
  answer: record({
    orders: list(order, { description: 'The newest first' }),
    left: integer({ minimum: 0, description: 'Number of older ones that are omitted' }),
  }),
  handle: async ({ parameters: { profile, desk: name } }, server) => {
    const desk = deskNamed(server, name);
    if (!desk.config.profiles.has(profile)) {
      throw new NotFoundError(`no profile ${plainText(profile, 60)}`);
    }
    const words = ['call', '-o', 'json', '--page', 'all', '--profile', profile, 'order/list-open'];
    const rows = fieldOf((await printedBy(server.actions, desk, words))['answer'], 'list');
    if (!Array.isArray(rows)) {
      throw new Refusal(422, 'answer', 'the exchange sent no list of orders');
    }
    const found = rows.filter(isRecord).map((row) => orderOf(row, desk));
    const newest = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, shownMax);
    return { orders: newest, left: found.length - newest.length };
  },
});

function orderOf(row: Readonly<Record<string, unknown>>, { runs }: Desk): Order {
  const textOf = (name: string): string => {
    const value = row[name];
    return typeof value === 'string' ? plainText(value, 60) : '';
  };
  const clientOid = textOf('clientOid');
  const text = clientOid.toLowerCase();
  const run = text === '' ? undefined : runs.rows().find((each) => runs.hasText(each.run, text));
  const createdAt = Number(textOf('createdTime'));
  return {
    symbol: textOf('symbol'),
    side: [textOf('side'), textOf('posSide')].filter((each) => each !== '').join(' '),
    price: textOf('price'),
    size: textOf('qty'),
    filled: textOf('cumExecQty'),
    status: textOf('orderStatus'),
    createdAt: Number.isSafeInteger(createdAt) && createdAt > 0 ? createdAt : 0,
    clientOid,
    ...(run && { run: run.run }),
  };
}
