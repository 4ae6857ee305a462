/** Orders of all runs as a table, and their sums. */
import type { JSX } from 'preact';
import { moreText } from '../../../base/text.ts';
import { stateWord } from '../../../report/states.ts';
import type { Answer } from '../api.ts';
import { planPath, runPath } from '../router.ts';
import { Copied } from './copy.tsx';
import { Wide } from './inline.tsx';
import { orderKey } from './orders-now.tsx';
import { More, paged } from './pager.tsx';
import { State, Target } from './pill.tsx';
import { At } from './time.tsx';

type Found = Answer<'GET /orders'>;
type Order = Found['orders'][number];

export function OrderRows({
  orders,
  now,
  hasDesks,
}: {
  readonly orders: readonly Order[];
  /** What the exchange shows, by `orderKey`; empty if it was not asked. */
  readonly now: ReadonlyMap<string, string>;
  readonly hasDesks: boolean;
}): JSX.Element {
  return (
    <Wide name="Orders of all runs">
      <table class="cards trades">
        <thead>
          <tr>
            <th>Sent</th>
            <th>Order</th>
            <th>State</th>
            <th>Account</th>
            {hasDesks && <th>Desk</th>}
            <th>Placed by</th>
            <th>clientOid, orderId</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <Row
              key={orderKey(order)}
              order={order}
              hasDesks={hasDesks}
              {...(now.size > 0 && { now: now.get(orderKey(order)) ?? 'not asked' })}
            />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Row({
  order,
  now,
  hasDesks,
}: {
  readonly order: Order;
  readonly now?: string;
  readonly hasDesks: boolean;
}): JSX.Element {
  const { sentAt, symbol, side, size, price, state, account, target, desk } = order;
  return (
    <tr>
      <td data-label="Sent">
        <At at={sentAt} />
      </td>
      <td data-label="Order">
        <b>{symbol}</b> {side}
        <div>
          {size} {price === '' ? 'at market' : `@ ${price}`}
        </div>
      </td>
      <td data-label="State">
        <State state={state} />
        {now !== undefined && <div class="dim">now {stateWord(now)}</div>}
      </td>
      <td data-label="Account">
        <Target target={target} /> {account === target ? '' : account}
      </td>
      {hasDesks && <td data-label="Desk">{desk}</td>}
      <td data-label="Placed by" class="wraps">
        <PlacedBy order={order} />
      </td>
      <td data-label="Ids">
        <Ids order={order} />
      </td>
    </tr>
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
  left,
  page,
}: {
  readonly sums: Found['sums'];
  readonly left: number;
  readonly page: number;
}): JSX.Element {
  const { shown, pager } = paged(sums, 'sums');
  return (
    <>
      <Wide name="Sums by day and symbol">
        <table class="cards">
          <thead>
            <tr>
              <th>Day (UTC)</th>
              <th>Symbol</th>
              <th class="number">Orders</th>
              <th class="number">Size × price</th>
              <th class="number">At market</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ day, symbol, coin, orders, notional, atMarket }) => (
              <tr key={`${day} ${symbol} ${coin}`}>
                <td data-label="Day (UTC)">{day}</td>
                <td data-label="Symbol">{symbol}</td>
                <td data-label="Orders" class="number">
                  {orders}
                </td>
                <td data-label="Size × price" class="number">
                  {notional} {coin}
                </td>
                <td data-label="At market" class="number">
                  {atMarket}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {pager}
      {left > 0 && <More text={moreText(left, 'sum')} query={{ page: String(page + 1) }} />}
    </>
  );
}
