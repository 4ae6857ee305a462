/** Colors for light and dark mode, fonts, and the frame of the page. */

/** Styles that a chart needs, also as a separate file: eight colors, each with a contrast of 3:1. */
export const chartColours = `
:root {
  color-scheme: light dark;
  --sans: Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --ink: light-dark(#141c28, #e8edf4);
  --soft: light-dark(#566377, #9ba9bb);
  --line: light-dark(#dfe4eb, #27313f);
  --c1: light-dark(#2d68e0, #7fb0ff);
  --c2: light-dark(#0f8f6a, #4fcf9a);
  --c3: light-dark(#b7791f, #f2bd58);
  --c4: light-dark(#8b44c7, #cfa2ff);
  --c5: light-dark(#c83a66, #ff93b4);
  --c6: light-dark(#0b7d99, #5fd0e6);
  --c7: light-dark(#6b7688, #a9b4c2);
  --c8: light-dark(#a3541a, #f0a06a);
}
`;

export const tokens = `${chartColours}
:root {
  --mono: "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
    monospace;
  --paper: light-dark(#f4f5f8, #0b0f15);
  --sheet: light-dark(#ffffff, #131922);
  --well: light-dark(#f3f5f9, #0d131b);
  --grid: light-dark(#edf0f4, #1d2632);
  --work: light-dark(#2d68e0, #7fb0ff);
  --good: light-dark(#0a7648, #56d69d);
  --good-tint: light-dark(#e3f5ec, #11301f);
  --bad: light-dark(#bb2129, #ff9190);
  --bad-tint: light-dark(#fdebeb, #3b1618);
  --doubt: light-dark(#7327ad, #d2a4ff);
  --doubt-tint: light-dark(#f4ebfc, #2c1a3d);
  --warn: light-dark(#845500, #f2bd58);
  --warn-tint: light-dark(#fdf3de, #33270e);
  --idle: light-dark(#566377, #9ba9bb);
  --idle-tint: light-dark(#edf0f4, #202935);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 14px/1.5 var(--sans); overflow-wrap: break-word;
  -webkit-text-size-adjust: 100%; -webkit-font-smoothing: antialiased;
}
h1, h2, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 24px; line-height: 1.2; letter-spacing: -.015em; }
h2 { font-size: 15px; line-height: 1.4; }
h2 small { margin-left: 6px; font-size: 13px; font-weight: 400; color: var(--soft); }
code, pre { font-family: var(--mono); font-size: .9em; }
code { overflow-wrap: anywhere; }
.dim { color: var(--soft); }
.strong { font-weight: 600; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
:focus-visible { outline: 2px solid var(--work); outline-offset: 2px; border-radius: 4px; }

.good { --tone: var(--good); --tint: var(--good-tint); }
.bad { --tone: var(--bad); --tint: var(--bad-tint); }
.doubt { --tone: var(--doubt); --tint: var(--doubt-tint); }
.warn { --tone: var(--warn); --tint: var(--warn-tint); }
.idle { --tone: var(--idle); --tint: var(--idle-tint); }

.bar {
  position: sticky; top: 0; z-index: 2; color: #fff; font-size: 13px;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.bar.sandbox { background: #0b6b7f; }
.bar.live { background: #b0151d; }
.bar div {
  display: flex; gap: 12px; align-items: baseline;
  max-width: 1120px; margin: 0 auto; padding: 6px 24px;
}
.bar code { white-space: nowrap; }
.bar strong { font-size: 12px; letter-spacing: .08em; }
.bar .far { margin-left: auto; text-align: right; }
main {
  display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px;
  max-width: 1120px; margin: 0 auto; padding: 28px 24px 64px;
}
`;
