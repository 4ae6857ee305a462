/** Someone who matches orders. */
import type { Operation } from './mixes.ts';

/** Prepares a run with everything made in advance that a caller would have in his hands. */
export type Rival = (operations: readonly Operation[]) => Prepared;

export interface Prepared {
  run(): void;
  /** Every price with its size, to see that all have done the same work. */
  depth(): string;
}
