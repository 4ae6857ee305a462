/** Styles of the timeline: labels, tracks and marks. */

export const time = `
.time { font-size: 13px; }
.row, .axis {
  display: grid; grid-template-columns: minmax(0, 28fr) minmax(0, 47fr) minmax(0, 25fr);
  column-gap: 18px; align-items: center; min-height: 26px;
}
.row.step { margin-top: 3px; padding-top: 3px; border-top: 1px solid var(--grid); }
.row > :first-child {
  display: flex; gap: 7px; align-items: center; overflow: hidden; white-space: nowrap;
  padding-left: calc(20px * min(var(--depth), 4));
}
.row > :first-child .dim { overflow: hidden; text-overflow: ellipsis; font-size: 12px; }
.row > :first-child b { overflow: hidden; text-overflow: ellipsis; flex: none; max-width: 70%; }
.row.item > :first-child {
  white-space: normal; font-variant-numeric: tabular-nums;
}
.row.item.bad > :first-child { color: var(--bad); }
.row.item.doubt > :first-child { color: var(--doubt); }
.row.item.idle > :first-child { color: var(--soft); }
.track {
  position: relative; height: 100%; min-height: 26px;
  background: repeating-linear-gradient(90deg, var(--grid) 0 1px, transparent 1px var(--tick));
}
.axis .track { background: none; }
.track i {
  position: absolute; top: 50%; height: 12px; margin-top: -6px;
  min-width: 3px; border-radius: 3px;
}
.axis { min-height: 24px; font-size: 11px; color: var(--soft); }
.axis span, .axis em {
  position: absolute; bottom: 1px; padding-left: 4px; line-height: 1.3; white-space: nowrap;
  border-left: 1px solid var(--line); font-variant-numeric: tabular-nums;
}
.axis em {
  bottom: 16px; border-left: 2px solid var(--warn);
  font-style: normal; font-weight: 600; color: var(--warn);
}
.axis.tall { min-height: 40px; }
`;
