/** How the page looks: light and dark, wide and narrow, on a screen and on paper. */
import { html } from './html.ts';

export const style = html`
  :root{color-scheme:light dark; --sans:Inter,ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica
  Neue",Arial,sans-serif; --mono:"JetBrains Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu
  Sans Mono",monospace;
  --paper:light-dark(#f4f5f8,#0b0f15);--sheet:light-dark(#fff,#131922);--well:light-dark(#f3f5f9,#0e141c);
  --ink:light-dark(#141c28,#e8edf4);--soft:light-dark(#566377,#9ba9bb);--line:light-dark(#e0e5ec,#252f3d);--grid:light-dark(#edf0f4,#1c2530);
  --good:light-dark(#0a7648,#56d69d);--good-bg:light-dark(#e3f5ec,#11301f);
  --bad:light-dark(#bb2129,#ff9190);--bad-bg:light-dark(#fdebeb,#3b1618);
  --doubt:light-dark(#7327ad,#d2a4ff);--doubt-bg:light-dark(#f4ebfc,#2c1a3d);
  --warn:light-dark(#845500,#f2bd58);--warn-bg:light-dark(#fdf3de,#33270e);
  --idle:light-dark(#566377,#96a3b5);--idle-bg:light-dark(#edf0f4,#202935);
  --work:light-dark(#2d68e0,#7fb0ff)} *{box-sizing:border-box}
  body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5
  var(--sans);-webkit-text-size-adjust:100%;overflow-wrap:break-word}
  h1,h2,p,ul,dl,dd,figure{margin:0;padding:0}
  h1{font-size:24px;line-height:1.2;letter-spacing:-.015em} h2{font-size:15px;line-height:1.4} h2
  small{font-weight:400;font-size:13px;color:var(--soft);margin-left:6px}
  code,pre{font-family:var(--mono);font-size:.9em} code{overflow-wrap:anywhere}
  .dim{color:var(--soft)}.strong{font-weight:600}
  .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
  .bar{position:sticky;top:0;z-index:2;color:#fff;font-size:13px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
  .bar.sandbox{background:#0b6b7f}.bar.live{background:#b0151d} .bar div{max-width:1120px;margin:0
  auto;padding:6px 24px;display:flex;gap:12px;align-items:baseline} .bar
  strong{letter-spacing:.08em;font-size:12px}.bar .far{margin-left:auto;text-align:right}
  main{max-width:1120px;margin:0 auto;padding:28px 24px
  64px;display:grid;grid-template-columns:minmax(0,1fr);gap:16px} header{display:grid;gap:14px}
  .title{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center}
  .facts{list-style:none;display:flex;flex-wrap:wrap;gap:4px 22px;font-size:13px;color:var(--soft)}
  .facts b{color:var(--ink);font-weight:500}
  .lead{font-size:17px;line-height:1.55;max-width:72ch;text-wrap:pretty} .lead
  strong{font-weight:650} .next{display:flex;flex-wrap:wrap;gap:6px 18px;align-items:baseline} .next
  h2{font-size:13px} .next dl{display:grid;grid-template-columns:auto 1fr;gap:6px
  14px;align-items:baseline} .next code{background:var(--sheet);border:1px solid
  var(--line);border-radius:6px;padding:3px 8px} .next dd{color:var(--soft)}
  .badge{display:inline-flex;align-items:center;gap:5px;font:600 12px/1 var(--sans);padding:5px 10px
  5px 8px;border-radius:99px;white-space:nowrap}
  .badge.good{color:var(--good);background:var(--good-bg)}.badge.bad{color:var(--bad);background:var(--bad-bg)}
  .badge.doubt{color:var(--doubt);background:var(--doubt-bg)}.badge.warn{color:var(--warn);background:var(--warn-bg)}
  .badge.idle{color:var(--idle);background:var(--idle-bg)}
  .sign{width:13px;height:13px;flex:none;fill:none;stroke:currentColor;stroke-width:2.1;stroke-linecap:round;stroke-linejoin:round}
  .sign.good{color:var(--good)}.sign.bad{color:var(--bad)}.sign.doubt{color:var(--doubt)}.sign.warn{color:var(--warn)}.sign.idle{color:var(--idle)}
  .tallies{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:12px}
  .card{background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:13px 16px
  14px;border-top:3px solid var(--tone,var(--line))}
  .card.good{--tone:var(--good)}.card.bad{--tone:var(--bad)}.card.doubt{--tone:var(--doubt)}.card.idle{--tone:var(--idle)}
  .card
  h2{display:flex;align-items:center;gap:7px;font-size:13px;font-weight:500;color:var(--tone,var(--soft))}
  .card
  b{display:block;font-size:27px;line-height:1.25;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
  .card.zero b{color:var(--soft);font-weight:500} .card
  p{font-size:13px;line-height:1.45;color:var(--soft)} .panel{background:var(--sheet);border:1px
  solid var(--line);border-radius:12px;padding:16px 18px} .panel>h2{margin-bottom:10px}
  .panel.edge{border-left:4px solid var(--tone)}
  .panel.bad{--tone:var(--bad)}.panel.doubt{--tone:var(--doubt)}.panel.warn{--tone:var(--warn)}
  .panel.edge h2{color:var(--tone)} .panel p+p{margin-top:4px}
  .plain,.signs{list-style:none;display:grid;gap:10px}.plain+p{margin-top:12px} .signs
  li{display:flex;gap:8px;align-items:baseline}.signs .sign{translate:0 2px} .key{font-weight:600}
  .hint{margin-top:10px}.hint::before{content:"→ ";color:var(--soft)}
  figure.code{margin-top:12px;border:1px solid
  var(--line);border-radius:8px;background:var(--well);overflow:hidden} figcaption{font:12px/1
  var(--mono);color:var(--soft);padding:9px 12px 0}
  pre{margin:0;font-size:12.5px;line-height:1.6;overflow-x:auto;padding:8px 12px 10px}
  pre.code{background:var(--well);border:1px solid
  var(--line);border-radius:8px;max-height:480px;overflow:auto;margin-top:12px}
  .no{color:var(--soft);opacity:.75;user-select:none}
  mark{display:inline-block;min-width:100%;margin:0 -12px;padding:0
  12px;background:var(--bad-bg);color:inherit;box-shadow:inset 3px 0
  var(--bad);box-sizing:content-box} mark i{font-style:normal;color:var(--bad)}
  table{border-collapse:collapse;width:100%}
  th{font-size:12px;font-weight:600;color:var(--soft);text-align:left;padding:6px
  10px;border-bottom:1px solid var(--line);white-space:nowrap} td{padding:7px 10px;border-bottom:1px
  solid var(--grid);vertical-align:baseline} tr:last-child
  td{border-bottom:0}th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
  .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
  .wide{overflow-x:auto}.cards td{white-space:nowrap} .answers td{white-space:normal}.answers
  td:first-child,.answers td:nth-child(2){width:1%;white-space:nowrap} .time{font-size:13px} .time
  .row,.axis{display:grid;grid-template-columns:minmax(0,27fr) minmax(0,49fr)
  minmax(0,24fr);column-gap:16px;align-items:center;min-height:26px} .time .step{border-top:1px
  solid var(--grid);padding-top:3px;margin-top:3px} .time
  .row>:first-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;display:flex;gap:7px;align-items:center}
  .time .row>:first-child .dim{overflow:hidden;text-overflow:ellipsis;font-size:12px} .time
  .item>:first-child{padding-left:20px;font-size:12.5px;font-variant-numeric:tabular-nums}
  .item.bad>:first-child{color:var(--bad)}.item.doubt>:first-child{color:var(--doubt);font-weight:600}.item.idle>:first-child{color:var(--soft)}
  .track{position:relative;height:100%;min-height:22px} .track
  i{position:absolute;top:50%;height:12px;margin-top:-6px;min-width:3px;border-radius:3px}
  .axis{min-height:22px;font-size:11px;color:var(--soft)} .axis .track{min-height:20px}.axis
  span{position:absolute;bottom:1px;padding-left:4px;border-left:1px solid
  var(--line);line-height:1.3} .axis
  em{position:absolute;top:-5px;font-style:normal;font-weight:600;color:var(--warn);padding-left:4px;border-left:2px
  solid var(--warn);line-height:1.1}
  i.whole{height:4px!important;margin-top:-2px!important;background:var(--line)}
  i.request{background:var(--work)}i.refused{background:var(--bad)}i.lost{background:var(--doubt)}
  i.limit{background:repeating-linear-gradient(135deg,var(--warn) 0 3px,var(--warn-bg) 3px
  7px);border:1px solid var(--warn)} i.retry{border:1.5px dashed var(--warn)} i.poll{border:1.5px
  dotted var(--soft)} i.look-up{border:1.5px dashed var(--doubt)}
  i{print-color-adjust:exact;-webkit-print-color-adjust:exact}
  .legend{display:flex;flex-wrap:wrap;gap:6px 18px;font-size:12px;color:var(--soft);margin-top:12px}
  .legend span{display:inline-flex;gap:7px;align-items:center}.legend
  i{width:22px;height:11px;border-radius:3px} details summary{cursor:pointer;list-style:none}details
  summary::-webkit-details-marker{display:none} details summary
  h2::before{content:"▸";display:inline-block;width:16px;color:var(--soft)} details[open] summary
  h2::before{content:"▾"} details .wide{margin-top:10px}
  .from{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 18px;font-size:13px}.from
  dt{color:var(--soft)} :focus-visible{outline:2px solid
  var(--work);outline-offset:2px;border-radius:4px} @media(max-width:760px){ .bar
  div,main{padding-left:14px;padding-right:14px}main{padding-top:20px}
  h1{font-size:21px}.lead{font-size:16px} .tallies{grid-template-columns:1fr 1fr} .next
  dl{grid-template-columns:minmax(0,1fr)}.next dd{margin:-4px 0 4px} .panel{padding:14px} .cards
  thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden} .cards,.cards
  tbody,.cards tr,.cards td{display:block;width:100%} .cards tr{padding:9px 0;border-bottom:1px
  solid var(--line)}.cards tr:last-child{border:0} .cards
  td{display:flex;justify-content:space-between;gap:14px;padding:2px
  0;border:0;white-space:normal;text-align:right} .cards
  td::before{content:attr(data-label);color:var(--soft);font-size:12px;white-space:nowrap;text-align:left}
  .answers,.answers tbody,.answers tr,.answers
  td{display:block;width:100%!important;white-space:normal!important;border:0;padding:1px 0}
  .answers tr{padding:8px 0;border-bottom:1px solid var(--grid)} .time
  .row{grid-template-columns:minmax(0,1fr) auto;row-gap:0}.time .row
  .track{grid-column:1/-1;grid-row:2;min-height:18px;margin-bottom:3px} .time
  .row>:last-child{text-align:right;font-size:12px;max-width:56vw}.time
  .item>:first-child{padding-left:0}
  .axis{grid-template-columns:minmax(0,1fr)}.axis>:not(.track){display:none}
  .from{grid-template-columns:minmax(0,1fr)}.from dd{margin-bottom:6px}} @media
  print{:root{color-scheme:light}body{background:#fff;font-size:11px}.bar{position:static}
  main{max-width:none;padding:12px
  0;gap:10px}.panel,.card{break-inside:avoid;border-color:#ccc}.lead{font-size:14px}
  .wide{overflow:visible}pre{white-space:pre-wrap}pre.code{max-height:none}td
  code{white-space:normal}}
`;
