/** The only script of a page: it sorts the rows of its tables, and the page's policy names its digest. */
import { sha256 } from '../../base/json.ts';
import { scriptOf, type Html } from './html.ts';

/**
 * A column's name becomes a button: ascending, descending, then the order of the file again. Cells have
 * their rank among the values of the column, so that the script compares no values; those without one are last.
 */
const script = `
for (const table of document.querySelectorAll('table.sortable')) {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  table.classList.add('sorts');
  heads.forEach((head, column) => {
    const rankOf = (row) => row.cells[column].dataset.rank;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort');
      const sorted = before === null ? 'ascending' : before === 'ascending' ? 'descending' : '';
      for (const each of heads) each.removeAttribute('aria-sort');
      if (sorted !== '') head.setAttribute('aria-sort', sorted);
      const sign = sorted === '' ? 0 : sorted === 'ascending' ? 1 : -1;
      const compare = (a, b) =>
        sign === 0 ? 0 : a === undefined || b === undefined ? (a === undefined) - (b === undefined) : sign * (a - b);
      body.append(...[...rows].sort((a, b) => compare(rankOf(a), rankOf(b))));
    });
  });
}
`;

/** The source that the policy of a page with this script allows. */
export const sortingSource = `'sha256-${Buffer.from(sha256(script), 'hex').toString('base64')}'`;

export function sortingScript(): Html {
  return scriptOf(script);
}
