/** A table that becomes a list of cards on a narrow screen; it is focusable, because a wide one scrolls. */
import { html, type Content, type Html } from './html.ts';

export interface Column<Row> {
  readonly name: string;
  /** Numbers are right-aligned, with aligned digits. */
  readonly isNumber?: true;
  /** Text of several words, which wraps instead of widening the table. */
  readonly wraps?: true;
  readonly cell: (row: Row) => Content;
}

export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const heads = columns.map(({ name, isNumber }) =>
    isNumber ? html`<th class="n">${name}</th>` : html`<th>${name}</th>`,
  );
  return html`<div class="wide" tabindex="0">
    <table class="cards">
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => tableRow(columns, row))}
      </tbody>
    </table>
  </div>`;
}

function tableRow<Row>(columns: readonly Column<Row>[], row: Row): Html {
  const cells = columns.map(({ name, isNumber, wraps, cell }) => {
    if (isNumber) return html`<td class="n" data-label="${name}">${cell(row)}</td>`;
    if (wraps) return html`<td class="wraps" data-label="${name}">${cell(row)}</td>`;
    return html`<td data-label="${name}">${cell(row)}</td>`;
  });
  return html`<tr>
    ${cells}
  </tr>`;
}
