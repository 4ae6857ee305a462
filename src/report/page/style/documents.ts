/** Styles of custom pages: running text and large figures. */

export const documents = `
.prose { max-width: 74ch; font-size: 15px; line-height: 1.6; }
.prose > * + * { margin-top: 10px; }
.prose h2 { font-size: 18px; margin-top: 18px; }
.prose h3 { margin: 14px 0 0; font-size: 15px; }
.prose ul, .prose ol { padding-left: 22px; margin: 10px 0; }
.prose blockquote {
  margin: 10px 0; padding: 2px 0 2px 14px; border-left: 3px solid var(--line); color: var(--soft);
}
.prose hr { width: 100%; border: 0; border-top: 1px solid var(--line); }
.prose a { color: var(--work); }
.prose code { padding: 1px 5px; border-radius: 5px; background: var(--well); }
.prose pre.code { padding: 10px 14px; }
.tallies.figures { grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
.figures .card h2 { color: var(--soft); }
.figures .card b { overflow-wrap: anywhere; }
.figures .card.long b { font-size: 20px; line-height: 1.82; }
.panel > .wide + .from { margin-top: 16px; }
.beside { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.beside.third { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.beside .cell { display: grid; align-content: start; }
.beside .chart.far { display: none; }
.beside .chart.near { display: block; }
.beside .chart.near svg { width: 100%; max-width: 440px; }
@media screen and (max-width: 760px) {
  .beside, .beside.third { grid-template-columns: minmax(0, 1fr); }
  .figures .card.long b { font-size: 16px; }
  .tallies.figures { grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); }
}
.sorts th button {
  display: inline-flex; gap: 5px; padding: 0; border: 0; background: none;
  color: inherit; font: inherit; cursor: pointer;
}
.sorts th button::after { content: "↕"; opacity: .45; }
.sorts th button:hover::after { opacity: 1; }
.sorts [aria-sort] button { color: var(--ink); }
.sorts [aria-sort=ascending] button::after { content: "↑"; opacity: 1; }
.sorts [aria-sort=descending] button::after { content: "↓"; opacity: 1; }
`;
