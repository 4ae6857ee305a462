/** The ticks of a time axis: their positions and labels. */
import { day, hour, millisecond, minute, second, type Millis } from '../base/clock.ts';
import { spoken } from '../base/text.ts';

export interface AxisTick {
  readonly at: Millis;
  readonly label: string;
}

const axisTicksMax = 6;

/** Round lengths of time between two ticks: no two of six ticks have the same label. */
const lengths = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((each) => each * millisecond),
  ...[1, 2, 5, 10, 20].map((each) => each * second),
  ...[1, 2, 5, 10, 20].map((each) => each * minute),
  ...[1, 2, 4, 8].map((each) => each * hour),
];

/** The length of time between two ticks of an axis: a round one, of which at most six fit. */
export function axisStepOf(whole: Millis): Millis {
  const round = lengths.find((length) => whole / length <= axisTicksMax);
  return round ?? Math.ceil(whole / axisTicksMax / day) * day;
}

/** The ticks of an axis; none is so near the end that its label would not fit. */
export function axisTicksOf(whole: Millis): AxisTick[] {
  const tick = axisStepOf(whole);
  const count = Math.floor((whole * 0.97) / tick) + 1;
  return Array.from({ length: count }, (_, place) => ({
    at: place * tick,
    label: place === 0 ? '0' : labelOf(place * tick),
  }));
}

/** The label of a tick; below a second it is more exact than lengths of time elsewhere. */
function labelOf(at: Millis): string {
  return at < second ? `${at} ms` : spoken(at);
}
