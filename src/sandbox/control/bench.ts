/** What control requests work on. */
import type { RequestLog } from '../requests.ts';
import type { Store } from '../state/store.ts';
import type { SavedWorld } from '../world/saved.ts';
import type { Fields } from './fields.ts';

export interface ControlBench {
  readonly store: Store;
  readonly requests: RequestLog;
  /** Worlds put aside, by name. */
  readonly shelf: Map<string, SavedWorld>;
}

/** Does one control request. @throws Refusal when it cannot be done */
export type ControlHandler = (fields: Fields, bench: ControlBench) => unknown;

export type ControlMethod = 'GET' | 'POST' | 'PUT';

/** Handlers by path (without `/_sandbox/`) and method. */
export type ControlTable = Readonly<
  Record<string, Partial<Readonly<Record<ControlMethod, ControlHandler>>>>
>;
