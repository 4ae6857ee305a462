/** Orders and files as tables that become cards on a narrow screen. */
import { count, grouped } from '../../base/text.ts';
import { notionalWords, type OrderLine } from '../orders.ts';
import type { FileLine, Summary } from '../summary.ts';
import { groupedNumber, money, sizeOf } from '../words.ts';
import { html, type Content, type Html } from './html.ts';
import { badge, toneOf } from './marks.ts';

const rowsMax = 1_000; // of one table; more make the page slow, and the journal has them all

export function ordersPanel({ orders, run }: Summary): Html | undefined {
  if (orders.length === 0) return undefined;
  const there = orders.filter(({ standing }) => standing === 'done' || standing === 'found');
  const sum = there.length === 0 ? 'none placed' : `${notionalWords(there)} placed`;
  // What needs a person stands first.
  const sorted = orders.toSorted((a, b) => urgency(a) - urgency(b));
  return html`<section class="panel" aria-labelledby="orders">
    <h2 id="orders">Orders <small>${sum}</small></h2>
    <div class="wide">
      <table class="cards">
        <thead>
          <tr>
            <th>State</th>
            <th>Symbol</th>
            <th>Side</th>
            <th class="n">Size</th>
            <th class="n">Price</th>
            <th class="n">Notional</th>
            <th>clientOid</th>
            <th>orderId</th>
            <th>How we know</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.slice(0, rowsMax).map(orderRow)}
        </tbody>
      </table>
    </div>
    ${leftOut(orders.length, run)}
  </section>`;
}

function urgency({ standing }: OrderLine): number {
  if (standing === 'doubt') return 0;
  return standing === 'refused' || standing === 'failed' ? 1 : 2;
}

function orderRow(order: OrderLine): Html {
  const { state, symbol, side, size, price, notional, coin, clientOid, orderId, how } = order;
  return html`<tr>
    ${cell('State', badge(toneOf(state), stateWord(state)))}${cell('Symbol', symbol)}${cell(
      'Side',
      side,
    )}${number('Size', groupedNumber(size))}${number('Price', price === '' ? 'market' : groupedNumber(price))}${number(
      'Notional',
      notional === undefined ? '–' : `${money(notional)} ${coin}`,
    )}${cell('clientOid', html`<code>${clientOid}</code>`)}${cell(
      'orderId',
      orderId === '' ? html`<span class="dim">none</span>` : html`<code>${orderId}</code>`,
    )}${cell('How we know', html`<span class="dim">${how}</span>`)}
  </tr>`;
}

function stateWord(state: string): string {
  return state === 'doubt' ? 'in doubt' : state.replaceAll('_', ' ').replaceAll('-', ' ');
}

export function filesPanel({ files, run }: Summary): Html | undefined {
  if (files.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="files">
    <h2 id="files">Files</h2>
    <div class="wide">
      <table class="cards">
        <thead>
          <tr>
            <th>File</th>
            <th>Step</th>
            <th class="n">Rows</th>
            <th class="n">Size</th>
            <th class="n">Pages read</th>
            <th>sha256</th>
          </tr>
        </thead>
        <tbody>
          ${files.slice(0, rowsMax).map(fileRow)}
        </tbody>
      </table>
    </div>
    ${leftOut(files.length, run)}
  </section>`;
}

function fileRow({ file, step, rows, bytes, pages, sha256 }: FileLine): Html {
  return html`<tr>
    ${cell('File', html`<b>${file}</b>`)}${cell('Step', step)}${number('Rows', grouped(String(rows)))}${number(
      'Size',
      sizeOf(bytes),
    )}${number('Pages read', pages)}${cell('sha256', html`<code title="${sha256}">${sha256.slice(0, 16)}…</code>`)}
  </tr>`;
}

function cell(label: string, content: Content): Html {
  return html`<td data-label="${label}">${content}</td>`;
}

function number(label: string, content: Content): Html {
  return html`<td class="n" data-label="${label}">${content}</td>`;
}

function leftOut(total: number, run: string): Html | undefined {
  if (total <= rowsMax) return undefined;
  const more = count(total - rowsMax, 'more row');
  return html`<p class="dim">${more}: <code>deskhand runs show ${run}</code></p>`;
}
