/** The events of one run: enough to resume it and to render every report. `entry-schema.ts` has their formats. */
import type { Infer } from '../../exchange/api/schema.ts';
import type { stored } from './export-schema.ts';
import type { approval } from './asked-schema.ts';
import type { entrySchema, stepFailure, stepStatus } from './entry-schema.ts';
import type { failedItem } from './outcome.ts';

export type { Destination } from './account.ts';
export type { GuardResult } from './guard-result.ts';
export type { Evidence, ListSaid, Lookup, Outcome, PersonsWord } from './outcome.ts';

/** A step, or one item of a for-each step: `ladder[61500.0]`. */
export type Address = string;

/** Why a run stopped, as `on-failure` sees it. */
export type StepFailure = Infer<typeof stepFailure>;

export type StepStatus = Infer<typeof stepStatus>;

/** An item of a for-each without a result, and why. */
export type FailedItem = Infer<typeof failedItem>;

/** A signed approval of a plan. */
export type Approval = Infer<typeof approval>;

/** An event with its position in the journal. `at` is the machine's wall clock. */
export type Entry = Infer<typeof entrySchema>;

/** The place where other machines find a file of a run. */
export type Stored = Infer<typeof stored>;

type WithoutPlace<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;

export type Event = WithoutPlace<Entry>;
