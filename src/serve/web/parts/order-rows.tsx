/** Orders of all runs as a table, and their sums. */
import type { JSX } from 'preact';
import { moreText } from '../../../base/text.ts';
import { stateWord } from '../../../report/states.ts';
import { now } from '../clock.ts';
import { zoneLabel } from '../zone.ts';
import type { Answer } from '../api.ts';
import { planPath, runPath } from '../router.ts';
import { Copied } from './copy.tsx';
import { orderKey } from './orders-now.tsx';
import { More, paged } from './pager.tsx';
import { State, Target } from './pill.tsx';
import { At } from './time.tsx';
import { Cards, deskColumn, type Column } from './cards.tsx';

type Found = Answer<'GET /orders'>;
type Order = Found['orders'][number];

export function OrderRows({
  orders,
  now,
  hasDesks,
}: {
  readonly orders: readonly Order[];
  /** The states that the exchange shows, by `orderKey`; empty if it was not asked. */
  readonly now: ReadonlyMap<string, string>;
  readonly hasDesks: boolean;
}): JSX.Element {
  const columns: readonly Column<Order>[] = [
    { name: 'Sent', cell: ({ sentAt }) => <At at={sentAt} /> },
    { name: 'Order', cell: (order) => <Request order={order} /> },
    {
      name: 'State',
      cell: (order) => (
        <>
          <State state={order.state} />
          {now.size > 0 && (
            <div class="dim">now {stateWord(now.get(orderKey(order)) ?? 'not asked')}</div>
          )}
        </>
      ),
    },
    {
      name: 'Account',
      cell: ({ target, account }) => (
        <>
          <Target target={target} /> {account === target ? '' : account}
        </>
      ),
    },
    ...deskColumn<Order>(hasDesks),
    { name: 'Placed by', kind: 'wraps', cell: (order) => <PlacedBy order={order} /> },
    { name: 'Ids', head: 'clientOid, orderId', cell: (order) => <Ids order={order} /> },
  ];
  return (
    <Cards
      name="Orders of all runs"
      kind="placed trades"
      columns={columns}
      rows={orders}
      rowKey={orderKey}
    />
  );
}

function Request({ order: { symbol, side, size, price } }: { readonly order: Order }): JSX.Element {
  return (
    <>
      <b>{symbol}</b> {side}
      <div>
        {size} {price === '' ? 'at market' : `@ ${price}`}
      </div>
    </>
  );
}

/** The run and the step, the plan that was run, and the people who approved it. */
function PlacedBy({ order }: { readonly order: Order }): JSX.Element {
  const { run, desk, playbook, address, plan, approvedBy = [] } = order;
  return (
    <>
      <a href={runPath(run, desk)} data-row>
        {playbook}
      </a>{' '}
      <code class="dim">{run}</code>
      <div>
        <code>{address}</code>
        {plan !== undefined && (
          <>
            , <a href={planPath(plan, desk)}>{plan}</a>
          </>
        )}
        {approvedBy.length === 0 ? (
          <span class="dim">, no approval</span>
        ) : (
          `, approved by ${approvedBy.join(', ')}`
        )}
      </div>
    </>
  );
}

function Ids({ order: { clientOid, orderId } }: { readonly order: Order }): JSX.Element {
  return (
    <>
      {[clientOid, orderId]
        .filter((id) => id !== '')
        .map((id) => (
          <div key={id}>
            <Copied text={id} />
          </div>
        ))}
    </>
  );
}

export function OrderSums({
  sums,
  zone,
  left,
  page,
}: {
  readonly sums: Found['sums'];
  /** The zone of the days. */
  readonly zone: string;
  readonly left: number;
  readonly page: number;
}): JSX.Element {
  const { shown, pager } = paged(sums, 'sums');
  return (
    <>
      <Cards
        name="Sums by day and symbol"
        columns={sumColumns(zone === 'UTC' ? zone : zoneLabel(now.value))}
        rows={shown}
        rowKey={({ day, symbol, coin }) => `${day} ${symbol} ${coin}`}
      />
      {pager}
      {left > 0 && <More text={moreText(left, 'sum')} query={{ page: String(page + 1) }} />}
    </>
  );
}

const sumColumns = (zone: string): readonly Column<Found['sums'][number]>[] => [
  { name: `Day (${zone})`, cell: ({ day }) => day },
  { name: 'Symbol', cell: ({ symbol }) => symbol },
  { name: 'Orders', isNumber: true, cell: ({ orders }) => orders },
  { name: 'Size × price', isNumber: true, cell: ({ notional, coin }) => `${notional} ${coin}` },
  { name: 'At market', isNumber: true, cell: ({ atMarket }) => atMarket },
];
