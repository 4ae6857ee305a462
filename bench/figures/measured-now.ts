/** The day of a measurement and the load of the machine, which are stored beside its figures. */
import { loadavg } from 'node:os';

export interface MeasuredAt {
  readonly date: string;
  readonly conditions: string;
}

export function measuredNow(): MeasuredAt {
  return {
    date: new Date().toISOString().slice(0, 10),
    conditions: `load ${loadavg()[0]?.toFixed(1)}`,
  };
}
