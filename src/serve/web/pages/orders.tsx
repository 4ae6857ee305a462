/** The orders of all runs: who placed which, when, from which plan; their sums; and a table to save. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { pathOf, type Answer, type Parameters } from '../api.ts';
import { now } from '../clock.ts';
import { useLoaded } from '../loaded.ts';
import { Choice, Filters, Search, Time } from '../parts/filter.tsx';
import { OrderRows, OrderSums } from '../parts/order-rows.tsx';
import { useStatesNow } from '../parts/orders-now.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Saved } from '../parts/saved.tsx';
import { periodOf } from '../period.ts';
import { hereWith, query } from '../router.ts';
import { zoneName } from '../zone.ts';
import { useMayAct } from '../who.ts';

type Found = Answer<'GET /orders'>;
type Wanted = Parameters<'GET /orders'>;

const interval = 2_000; // ms between two reads while runs are in progress

export function Orders(): JSX.Element {
  const wanted = wantedIn(query.value, now.value);
  const { answer, failure } = useLoaded(
    'GET /orders',
    { ...wanted, zone: zoneName() },
    ({ kind }) => kind === 'run',
    interval,
  );
  const mayAsk = useMayAct('operator');
  const asked = useStatesNow(wanted);
  useEffect(() => {
    document.title = 'Orders · deskhand';
  }, []);
  const { page: _page, ...filter } = wanted;
  return (
    <>
      <div class="title">
        <h1>Orders</h1>
        <a class="button" target="_self" href={pathOf('GET /orders/file', filter)}>
          Save as CSV
        </a>
        {mayAsk && answer !== undefined && answer.orders.length > 0 && (
          <button
            type="button"
            onClick={asked.ask}
            disabled={asked.isBusy}
            aria-busy={asked.isBusy}
          >
            {asked.isBusy ? 'Asking the exchange…' : 'Show states now'}
          </button>
        )}
      </div>
      <Failed failure={failure} />
      <Failed failure={asked.failure} />
      {answer !== undefined && <All answer={answer} wanted={wanted} now={asked.states} />}
    </>
  );
}

/** The period without a choice; an id is looked for in all runs. */
const initialOf = (from: URLSearchParams): string => (from.get('id') ? 'all' : '30d');

/** The filter in an address. @param at the current time, for periods that end now */
function wantedIn(from: URLSearchParams, at: number): Wanted {
  const names = ['desk', 'playbook', 'account', 'symbol', 'state', 'id'] as const;
  const texts = names.map((name) => [name, from.get(name)?.trim() ?? ''] as const);
  const page = from.get('page') ?? '';
  const period = periodOf(from.get('time') ?? initialOf(from), at);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== '')),
    ...(period && { since: String(period.since) }),
    ...(period?.until !== undefined && { until: String(period.until) }),
    ...(/^[1-9]\d{0,5}$/.test(page) && { page }),
  };
}

function OrderFilters({
  answer: { playbooks, accounts, symbols, states, desks },
  wanted,
}: {
  readonly answer: Found;
  readonly wanted: Wanted;
}): JSX.Element {
  return (
    <Filters>
      <Search
        name="id"
        label="Find an order"
        hint="A clientOid or an orderId"
        value={wanted.id}
        isId
      />
      <Time initial={initialOf(query.value)} />
      <Choice name="playbook" label="Playbook" values={playbooks} value={wanted.playbook} />
      <Choice name="symbol" label="Symbol" values={symbols} value={wanted.symbol} />
      <Choice name="account" label="Account" values={accounts} value={wanted.account} />
      <Choice name="state" label="State" values={states} value={wanted.state} />
      {desks.length > 1 && <Choice name="desk" label="Desk" values={desks} value={wanted.desk} />}
    </Filters>
  );
}

function All({
  answer,
  wanted,
  now: shownNow,
}: {
  readonly answer: Found;
  readonly wanted: Wanted;
  readonly now: ReadonlyMap<string, string>;
}): JSX.Element {
  const { orders, matching, damages, sums, sumsLeft, sumsAll, page, pages } = answer;
  const isOfSums = query.value.get('tab') === 'sums';
  const current = (isThis: boolean): 'page' | undefined => (isThis ? 'page' : undefined);
  return (
    <>
      {damages.map((damage) => (
        <p class="notice" key={damage}>
          Orders may be missing: {damage}
        </p>
      ))}
      <section class="panel flush" aria-label="Orders">
        <OrderFilters answer={answer} wanted={wanted} />
        <Saved />
        <nav class="tabs" aria-label="Orders and sums">
          <a href={hereWith({ tab: '', page: '' })} aria-current={current(!isOfSums)}>
            Orders<span class="size"> {matching}</span>
          </a>
          <a href={hereWith({ tab: 'sums', page: '' })} aria-current={current(isOfSums)}>
            By day and symbol<span class="size"> {sumsAll}</span>
          </a>
        </nav>
        <p class="unseen" role="status">
          {count(matching, 'order')}
        </p>
        {orders.length === 0 ? (
          <None wanted={wanted} />
        ) : isOfSums ? (
          <OrderSums sums={sums} zone={answer.zone} left={sumsLeft} page={page} />
        ) : (
          <OrderRows orders={orders} now={shownNow} hasDesks={answer.desks.length > 1} />
        )}
        {!isOfSums && <Pager page={page} pages={pages} />}
      </section>
    </>
  );
}

function None({ wanted }: { readonly wanted: Wanted }): JSX.Element {
  const { since, until, ...others } = wanted;
  const isEver = since === undefined && until === undefined;
  if (isEver && Object.keys(others).join('') === 'id') {
    return <Empty text="No run recorded here placed an order with this clientOid or orderId." />;
  }
  if (Object.keys(others).length > 0) return <Empty text="No order matches the filter." />;
  if (isEver) {
    return (
      <Empty text="No orders yet. Run a playbook:" command="deskhand run playbooks/NAME.yaml" />
    );
  }
  return (
    <p class="empty">
      No order in this time. <a href={hereWith({ time: 'all' })}>Show all</a>
    </p>
  );
}
