/** The faults by their public names, and the effect of each on requests. */
import type { WireFault } from './wire-faults.ts';

/** The public names of faults of a rehearsal. */
export const faultNames = [
  'lost-answer',
  'lost-request',
  'late',
  '429',
  '5xx',
  'garbled',
  'clock',
  'stale-lists',
  'crash',
] as const;
export type FaultName = (typeof faultNames)[number];

const onWire: Readonly<Record<FaultName, readonly WireFault[]>> = {
  'lost-answer': ['lost-answer'],
  'lost-request': ['lost-request', 'unreachable'],
  late: ['late-request', 'slow-answer'],
  '429': ['limit-429', 'page-429-after', 'code-45001-429-after', 'half-429-after'],
  '5xx': ['html-502', 'error-500-after', 'code-40010-after'],
  garbled: ['garbled', 'wrong-envelope'],
  clock: ['refused-time', 'time-ahead', 'time-behind'],
  'stale-lists': [],
  crash: [],
};

export function wireFaultsOf(names: readonly FaultName[]): readonly WireFault[] {
  return names.flatMap((name) => onWire[name]);
}
