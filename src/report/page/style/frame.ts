/** Styles of text, and of the frame of the page. */

export const frame = `
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

.bar {
  position: sticky; top: 0; z-index: 2; font-size: 13px;
}
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
