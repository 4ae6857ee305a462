/** The style of every page: the colors, and the marks of states, targets and spans of time. */
import { pageColours } from './palette.ts';

/** The sheet with which every page begins: the page of a run as a file, and that of `serve`. */
export function pageStyle(): string {
  return pageColours() + marks;
}

const marks = `
.pill {
  display: inline-flex; gap: 6px; align-items: center; padding: 5px 9px; border-radius: 99px;
  color: var(--tone); background: var(--tint);
  font: 600 12px/1 var(--sans); white-space: nowrap;
}
.icon {
  flex: none; width: 13px; height: 13px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round;
}
.time .icon { color: var(--tone); }
:is(.bar, .target).sandbox { background: var(--sandbox); }
:is(.bar, .target).demo { background: var(--demo); }
:is(.bar, .target).live { background: var(--live); }
.bar, .target { color: var(--inverse); }
i.request { background: var(--work); }
i.refused { background: var(--bad); }
i.lost { background: var(--doubt); }
i.limit {
  border: 1px solid var(--warn);
  background: repeating-linear-gradient(135deg, var(--warn) 0 3px, var(--warn-tint) 3px 7px);
}
i.retry { border: 1.5px dashed var(--warn); background: var(--warn-tint); }
i.poll { border: 1.5px dotted var(--soft); }
i.look-up { border: 1.5px dashed var(--doubt); background: var(--doubt-tint); }
.track i.whole { height: 4px; margin-top: -2px; background: var(--line); }
.legend {
  display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 14px 0 0;
  font-size: 12px; color: var(--soft);
}
.legend span { display: inline-flex; gap: 7px; align-items: center; }
.legend i { width: 22px; height: 11px; border-radius: 3px; }
.bar, .pill, .target, .time i, .legend i {
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
`;
