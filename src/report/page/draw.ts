/** Draws blocks as markup. A table becomes a list of cards on a narrow screen. */
import type { Tone } from '../../base/palette.ts';
import { moreRows, type Fact, type Inline, type Table } from '../blocks/block.ts';
import { stateWord, toneOf } from '../states.ts';
import { html, type Content, type Html } from './html.ts';
import { timeOf } from '../words.ts';
import { badge } from './marks.ts';

export function drawn(inline: Inline): Content {
  if (typeof inline === 'string') return inline;
  if ('code' in inline) return inline.code === '' ? '' : html`<code>${inline.code}</code>`;
  if ('strong' in inline) return html`<b>${drawn(inline.strong)}</b>`;
  if ('dim' in inline) return html`<span class="dim">${drawn(inline.dim)}</span>`;
  if ('time' in inline) return html`<code>${timeOf(inline.time)}</code>`;
  if ('digest' in inline) return shortened(inline.digest);
  if ('state' in inline) return badge(toneOf(inline.state), stateWord(inline.state));
  if ('lines' in inline) return inline.lines.map((line) => html`${drawn(line)}<br />`);
  return inline.map(drawn);
}

/** A name: of a long digest only the first characters, a short name in full. */
function shortened(name: string): Html {
  if (name.length <= 20) return html`<code>${name}</code>`;
  return html`<code title="${name}">${name.slice(0, 12)}${'…'}</code>`;
}

/** A panel of the page. @param edge the tone of its left edge */
export function panel(id: string, title: Content, body: Content, edge?: Tone): Html {
  return html`<section class="panel${edge && ` edge ${edge}`}" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

/** A panel that is folded until a reader opens it. */
export function folded(title: Content, body: Content): Html {
  return html`<section class="panel">
    <details>
      <summary><h2>${title}</h2></summary>
      ${body}
    </details>
  </section>`;
}

/** The facts below a title. */
export function factList(facts: readonly Fact[]): Html {
  const items = facts.map(([name, value]) => html`<li>${name} <b>${drawn(value)}</b></li>`);
  return html`<ul class="facts">
    ${items}
  </ul>`;
}

/** Facts as a list of definitions. */
export function definitions(facts: readonly Fact[]): Html {
  const items = facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${drawn(value)}</dd>`,
  );
  return html`<dl class="from">${items}</dl>`;
}

/** The remark about sorting in a table that omits rows. */
const sortedRows = '. Sorting orders the rows that are shown.';

/**
 * A table. It is focusable, because a wide one scrolls.
 * @param max rows shown; more make the page slow, and the journal has them all
 */
export function table<Row>({ columns, rows, total, rest }: Table<Row>, max = 1_000): Html {
  const shown = rows.slice(0, max);
  const left = (total ?? rows.length) - shown.length;
  const heads = columns.map(({ name, isNumber }) =>
    isNumber ? html`<th class="n">${name}</th>` : html`<th>${name}</th>`,
  );
  const isSortable = columns.some(({ ranks }) => ranks !== undefined);
  const cells = (row: Row): Html[] =>
    columns.map(({ name, isNumber, wraps, cell, ranks }) => {
      const kind = isNumber ? 'n' : wraps ? 'wraps' : '';
      const rank = ranks?.get(row);
      const label = html`data-label="${name}"`;
      const named = rank === undefined ? label : html`${label} data-rank="${rank}"`;
      return html`<td class="${kind}" ${named}>${drawn(cell(row))}</td>`;
    });
  const omitted = [drawn(moreRows(left, rest)), isSortable ? sortedRows : ''];
  return html`<div class="wide" tabindex="0">
      <table class="cards${isSortable ? ' sortable' : ''}">
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr>
                ${cells(row)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${left === 0 ? undefined : html`<p class="dim">${omitted}</p>`}`;
}
