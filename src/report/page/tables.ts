/** The orders and the files of a run. */
import { count, grouped, shellWord } from '../../base/text.ts';
import { notionalWords, urgentFirst, type OrderLine } from '../orders.ts';
import type { FileLine, Summary } from '../summary.ts';
import { groupedNumber } from '../request.ts';
import { money, sizeOf } from '../words.ts';
import { html, type Html } from './html.ts';
import { badge, toneOf } from './marks.ts';
import { table, type Column } from './table.ts';

const rowsMax = 1_000; // rows per table; more make the page slow, and the journal has them all

export function ordersPanel({ orders, run }: Summary): Html | undefined {
  if (orders.length === 0) return undefined;
  const there = orders.filter(({ standing }) => standing === 'done' || standing === 'found');
  const sum = there.length === 0 ? 'none placed' : `${notionalWords(there)} placed`;
  return html`<section class="panel" aria-labelledby="orders">
    <h2 id="orders">Orders <small>${sum}</small></h2>
    ${table(orderColumns, urgentFirst(orders).slice(0, rowsMax))}${leftOut(orders.length, run)}
  </section>`;
}

const orderColumns: readonly Column<OrderLine>[] = [
  { name: 'State', cell: ({ state }) => badge(toneOf(state), stateWord(state)) },
  { name: 'Symbol', cell: ({ symbol }) => symbol },
  { name: 'Side', cell: ({ side }) => side },
  { name: 'Size', isNumber: true, cell: ({ size }) => groupedNumber(size) },
  {
    name: 'Price',
    isNumber: true,
    cell: ({ price }) => (price === '' ? 'market' : groupedNumber(price)),
  },
  { name: 'Terms', wraps: true, cell: ({ terms }) => terms.join(', ') },
  {
    name: 'Notional',
    isNumber: true,
    cell: ({ notional, coin }) => (notional ? `${money(notional)} ${coin}` : '–'),
  },
  { name: 'clientOid', cell: ({ clientOid }) => html`<code>${clientOid}</code>` },
  {
    name: 'orderId',
    cell: ({ orderId }) =>
      orderId === '' ? html`<span class="dim">none</span>` : html`<code>${orderId}</code>`,
  },
  { name: 'Evidence', cell: ({ how }) => html`<span class="dim">${how}</span>` },
];

function stateWord(state: string): string {
  return state === 'doubt' ? 'in doubt' : state.replaceAll('_', ' ').replaceAll('-', ' ');
}

export function filesPanel({ files, run }: Summary): Html | undefined {
  if (files.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="files">
    <h2 id="files">Files</h2>
    ${table(fileColumns, files.slice(0, rowsMax))}${leftOut(files.length, run)}
  </section>`;
}

const fileColumns: readonly Column<FileLine>[] = [
  { name: 'File', cell: ({ file }) => html`<b>${file}</b>` },
  { name: 'Step', cell: ({ step }) => step },
  { name: 'Rows', isNumber: true, cell: ({ rows }) => grouped(String(rows)) },
  { name: 'Size', isNumber: true, cell: ({ bytes }) => sizeOf(bytes) },
  { name: 'Pages read', isNumber: true, cell: ({ pages }) => grouped(String(pages)) },
  {
    name: 'sha256',
    cell: ({ sha256 }) => html`<code title="${sha256}">${sha256.slice(0, 16)}${'…'}</code>`,
  },
];

function leftOut(total: number, run: string): Html | undefined {
  if (total <= rowsMax) return undefined;
  const more = count(total - rowsMax, 'more row');
  return html`<p class="dim">${more}: <code>deskhand runs show ${shellWord(run)}</code></p>`;
}
