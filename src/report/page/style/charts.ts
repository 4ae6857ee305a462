/** Styles of charts: as wide as the page, with another drawing for a phone. */

export const charts = `
.charts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.chart svg { display: block; max-width: 100%; height: auto; }
.chart.near { display: none; }
@media screen and (max-width: 760px) {
  .chart.far { display: none; }
  .chart.near { display: block; }
}
`;
