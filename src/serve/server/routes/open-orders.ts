/** `GET /accounts/{profile}/orders`: the open orders of an account, read from its exchange now. */
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { deadline, minute, type Millis } from '../../../base/clock.ts';
import { plainText } from '../../../base/text.ts';
import { openOrdersOf, type OpenOrder } from '../../../app/accounts/open-orders.ts';
import { profileNamed } from '../../../app/config/load.ts';
import { configOf } from '../../../app/config/opened.ts';
import { deskNamed, type ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError, Refusal } from '../failure.ts';
import { inProcess } from '../in-process.ts';
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

const shownMax = 5_000; // orders; the page shows them in parts

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
    const rows = await rowsOf(profile, desk, server);
    if (rows === undefined) {
      throw new Refusal(422, 'answer', 'the exchange sent no list of orders');
    }
    const found = rows.map(orderOf);
    const ids = new Set(found.map(({ clientOid }) => clientOid.toLowerCase()));
    ids.delete('');
    const placedBy = await desk.runs.newestHaving([...ids]);
    const newest = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, shownMax);
    const orders = newest.map((each) => {
      const run = placedBy.get(each.clientOid.toLowerCase());
      return { ...each, ...(run !== undefined && { run }) };
    });
    return { orders, left: found.length - newest.length };
  },
});

const longest: Millis = minute; // a person waits

async function rowsOf(
  name: string,
  desk: Desk,
  server: ServerContext,
): Promise<readonly OpenOrder[] | undefined> {
  const late = (): Refusal => new Refusal(422, 'late', 'the orders were not read within a minute');
  const limit = deadline(longest, late);
  try {
    return await inProcess(desk, server, async (context) => {
      const config = await configOf(context);
      return openOrdersOf(profileNamed(config, name), config, context, limit.signal);
    });
  } finally {
    limit.cancel();
  }
}

function orderOf({ row, fields }: OpenOrder): Order {
  const textOf = (name: string): string => {
    const value = row[name];
    return typeof value === 'string' ? plainText(value, 60) : '';
  };
  const createdAt = Number(textOf(fields.created));
  return {
    symbol: textOf(fields.symbol),
    side: [directionOf(textOf, fields), textOf('posSide')].filter((each) => each !== '').join(' '),
    price: textOf(fields.price),
    size: textOf(fields.size),
    filled: textOf(fields.filled),
    status: fields.status.fields.map(textOf).find((each) => each !== '') ?? '',
    createdAt: Number.isSafeInteger(createdAt) && createdAt > 0 ? createdAt : 0,
    clientOid: textOf(fields.key),
  };
}

/** `open` or `close`, where rows show the side as it was sent and two positions are possible. */
function directionOf(
  textOf: (name: string) => string,
  { side, direction }: OpenOrder['fields'],
): string {
  const shown = direction === undefined ? '' : textOf(direction);
  return shown === 'open' || shown === 'close' ? shown : textOf(side);
}
