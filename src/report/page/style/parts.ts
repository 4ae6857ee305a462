/** Styles of the head, tallies, panels, code and tables. */

export const parts = `
header { display: grid; gap: 14px; margin-bottom: 4px; }
.title { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
.facts {
  display: flex; flex-wrap: wrap; gap: 4px 22px;
  list-style: none; font-size: 13px; color: var(--soft);
}
.facts b { font-weight: 500; color: var(--ink); }
.lead { max-width: 74ch; font-size: 17px; line-height: 1.55; text-wrap: pretty; }
.lead strong { font-weight: 650; }
.next { display: flex; gap: 16px; }
.next h2 { font-size: 13px; line-height: 28px; }
.next dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 14px; align-items: center; }
.next dt code {
  display: block; padding: 3px 10px; font-size: 13px; line-height: 20px;
  border: 1px solid var(--line); border-radius: 7px; background: var(--sheet);
}
.next dd { color: var(--soft); font-size: 13px; }

:is(.card, .signs) .icon { color: var(--tone); }

.tallies { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 12px; }
.card {
  padding: 13px 16px 14px; border: 1px solid var(--line); border-radius: 12px;
  background: var(--sheet);
}
.card h2 {
  display: flex; gap: 7px; align-items: center;
  font-size: 13px; font-weight: 500; color: var(--tone, var(--soft));
}
.card b {
  display: block; font-size: 28px; line-height: 1.3; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums;
}
.card b small { font-size: 13px; font-weight: 400; letter-spacing: 0; color: var(--soft); }
.card.bad b, .card.doubt b { color: var(--tone); }
.card.zero b { font-weight: 500; color: var(--soft); }
.card p { font-size: 13px; line-height: 1.45; color: var(--soft); }

.panel {
  padding: 16px 18px; border: 1px solid var(--line); border-radius: 12px;
  background: var(--sheet);
}
.panel > h2 { margin-bottom: 10px; }
.panel.edge { border-left: 4px solid var(--tone); border-radius: 4px 12px 12px 4px; }
.panel.edge > h2 { color: var(--tone); }
.panel p + p { margin-top: 4px; }
.plain, .signs { display: grid; gap: 10px; list-style: none; }
.plain + p { margin-top: 12px; }
.signs li { display: flex; gap: 9px; align-items: baseline; }
.signs .icon { translate: 0 2px; }
.key { font-weight: 600; }
.panel .hint { margin-top: 12px; }
.hint::before { content: "→ "; color: var(--soft); }

figure.code {
  margin-top: 12px; overflow: hidden;
  border: 1px solid var(--line); border-radius: 8px; background: var(--well);
}
figcaption { padding: 10px 14px 0; font: 12px/1 var(--mono); color: var(--soft); }
pre { margin: 0; padding: 8px 14px 11px; overflow-x: auto; font-size: 12.5px; line-height: 1.65; }
pre.code {
  max-height: 480px; margin-top: 12px; overflow: auto;
  border: 1px solid var(--line); border-radius: 8px; background: var(--well);
}
.no { color: var(--soft); user-select: none; }
mark {
  display: inline-block; box-sizing: content-box; min-width: 100%;
  margin: 0 -14px; padding: 0 14px; color: inherit;
  background: var(--bad-tint); box-shadow: inset 3px 0 var(--bad);
}

table { width: 100%; border-collapse: collapse; }
th {
  padding: 6px 10px; border-bottom: 1px solid var(--line);
  font-size: 12px; font-weight: 600; text-align: left; white-space: nowrap; color: var(--soft);
}
td { padding: 7px 10px; border-bottom: 1px solid var(--grid); vertical-align: baseline; }
tr:last-child td { border-bottom: 0; }
.cards th, .cards td { padding-inline: 6px; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
.cards td { white-space: nowrap; }
.cards td:last-child { min-width: 7em; white-space: normal; }
.cards .wraps { min-width: 6em; white-space: normal; }

details summary { cursor: pointer; list-style: none; }
details summary::-webkit-details-marker { display: none; }
details summary h2::before { content: "▸"; display: inline-block; width: 17px; color: var(--soft); }
details[open] summary h2::before { content: "▾"; }
details .wide { margin-top: 10px; }
.from {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 18px; font-size: 13px;
}
.from dt { color: var(--soft); }
`;
