/** The open orders of an account, read when a person asks for them, with the runs that placed them. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { read, type Answer, type CallError } from '../api.ts';
import { runPath } from '../router.ts';
import { Copied } from './copy.tsx';
import { paged } from './pager.tsx';
import { Failed } from './panel.tsx';
import { Ago } from './time.tsx';
import { Cards, type Column } from './cards.tsx';

type Found = Answer<'GET /accounts/{profile}/orders'>;

export function OpenOrders({
  desk,
  profile,
  asked,
}: {
  readonly desk: string;
  readonly profile: string;
  /** How often a person asked for the orders; nothing is shown before. */
  readonly asked: number;
}): JSX.Element | null {
  const [found, setFound] = useState<Found>();
  const [failure, setFailure] = useState<CallError>();
  useEffect(() => {
    if (asked === 0) return undefined;
    const ended = new AbortController();
    setFound(undefined);
    setFailure(undefined);
    read('GET /accounts/{profile}/orders', { profile, desk }, ended.signal).then(
      (answer) => ended.signal.aborted || setFound(answer),
      (error: CallError) => ended.signal.aborted || setFailure(error),
    );
    return () => ended.abort();
  }, [asked]);
  if (asked === 0) return null;
  return (
    <div class="orders" role="status" aria-busy={failure === undefined && found === undefined}>
      <Failed failure={failure} />
      {failure === undefined && found === undefined && <p class="dim">Reading open orders…</p>}
      {found !== undefined && <Orders found={found} desk={desk} profile={profile} />}
    </div>
  );
}

function Orders({
  found: { orders: all, left },
  desk,
  profile,
}: {
  readonly found: Found;
  readonly desk: string;
  readonly profile: string;
}): JSX.Element {
  const { shown, pager } = paged(all, `orders-${profile}`);
  if (all.length === 0) return <p>No open orders.</p>;
  return (
    <>
      <h3>{count(all.length + left, 'open order')}</h3>
      <Cards
        name={`Open orders of ${profile}`}
        kind="placed open"
        columns={columnsFor(desk)}
        rows={shown}
      />
      {pager}
      {left > 0 && (
        <p class="dim">
          The newest {all.length}. All:{' '}
          <Copied text={`deskhand call order/list-open --page all --profile ${profile}`} />
        </p>
      )}
    </>
  );
}

const columnsFor = (desk: string): readonly Column<Found['orders'][number]>[] => [
  { name: 'Symbol', cell: ({ symbol }) => symbol },
  { name: 'Side', cell: ({ side }) => side },
  { name: 'Price', isNumber: true, cell: ({ price }) => price },
  { name: 'Size', isNumber: true, cell: ({ size }) => size },
  { name: 'Filled', isNumber: true, cell: ({ filled }) => filled },
  { name: 'Status', cell: ({ status }) => status },
  {
    name: 'Placed by',
    cell: ({ run }) =>
      run === undefined ? (
        <span class="dim">no run known here</span>
      ) : (
        <a href={runPath(run, desk)} data-row>
          {run}
        </a>
      ),
  },
  {
    name: 'When',
    kind: 'dim',
    cell: ({ createdAt }) => (createdAt === 0 ? '–' : <Ago at={createdAt} />),
  },
];
