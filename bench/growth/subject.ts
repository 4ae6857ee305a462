/** A command that is measured on more and more of one thing. */
import type { Cost } from './curve.ts';

export interface Subject {
  readonly name: string;
  /** What grows. */
  readonly unit: string;
  /** The first is measured for what the command costs without them. */
  readonly sizes: readonly number[];
  /** Makes so many, and tells how to measure them. */
  readonly prepare: (size: number, folder: string) => Promise<() => Promise<Cost>>;
}
