/** Styles of the page on phones and in print. */

export const media = `
@media (max-width: 1120px) {
  .cards td:not(.n) { white-space: normal; }
}
@media screen and (max-width: 760px) {
  .bar div { padding: 6px 14px; }
  main { gap: 12px; padding: 20px 14px 40px; }
  h1 { font-size: 21px; }
  .lead { font-size: 16px; }
  .next { display: block; }
  .next dl { grid-template-columns: minmax(0, 1fr); gap: 3px; }
  .next dd { margin-bottom: 6px; }
  .tallies { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 10px; }
  .panel { padding: 14px; }
  .cards thead {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .sorts thead { position: static; width: auto; height: auto; clip-path: none; }
  .sorts thead tr { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  .sorts th { padding: 4px 0; border: 0; }
  .cards, .cards tbody, .cards tbody tr { display: block; width: 100%; }
  .cards tr { padding: 9px 0; border-bottom: 1px solid var(--line); }
  .cards tr:last-child { border-bottom: 0; }
  .cards td, .cards td:last-child {
    display: flex; gap: 14px; justify-content: space-between; min-width: 0;
    padding: 2px 0; border: 0; text-align: right; white-space: normal;
    overflow-wrap: anywhere;
  }
  .cards td::before {
    content: attr(data-label); font-size: 12px; line-height: 21px; white-space: nowrap;
    color: var(--soft);
  }
  .row { grid-template-columns: minmax(0, 1fr) auto; column-gap: 10px; }
  .row > :first-child { min-height: 24px; }
  .row > :last-child { max-width: 46vw; text-align: right; font-size: 12px; }
  .row .track { grid-row: 2; grid-column: 1 / -1; min-height: 18px; margin-bottom: 3px; }
  .row.unsent .track { display: none; }
  .row.item > :first-child { padding-left: 0; }
  .axis { grid-template-columns: minmax(0, 1fr); }
  .axis > :not(.track) { display: none; }
  .from { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .from dd { margin-bottom: 8px; }
}
@media print {
  :root { color-scheme: light; }
  @page { size: A4; margin: 14mm; }
  body { background: var(--sheet); font-size: 11px; }
  .bar { position: static; }
  main { max-width: none; gap: 10px; padding: 12px 0; }
  .lead { font-size: 14px; }
  .card, .panel { border-color: var(--line-in-print); }
  .card, .panel.edge, .row, tr, .chart, .cell { break-inside: avoid; }
  thead { display: table-header-group; }
  .sorts th button::after { content: none; }
  h2, thead { break-after: avoid; }
  .tallies { gap: 8px; }
  .card { padding: 9px 11px; }
  .row, .track { min-height: 20px; }
  .time, .facts, .card p, .next dd, .from { font-size: 11px; }
  td, th { padding: 4px 6px; }
  .wide { overflow: visible; }
  .cards td { white-space: normal; }
  pre, pre.code { max-height: none; white-space: pre-wrap; }
}
`;
