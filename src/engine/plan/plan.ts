/** A plan: the actions of a run, the values on which they are based, and a digest that binds them. */
import type { Infer } from '../../exchange/api/schema.ts';
import type {
  action,
  change,
  confidence,
  laterRead,
  planSchema,
  quote,
  step,
} from './plan-schema.ts';

/** The confidence of a line of the plan. */
export type Confidence = Infer<typeof confidence>;

/** The change that one action would make. */
export type Change = Infer<typeof change>;

export type PlannedAction = Infer<typeof action>;

export type PlannedStep = Infer<typeof step>;

/** Values that only the run will read, as paths into the response of an action. */
export type LaterRead = Infer<typeof laterRead>;

/** The quote that orders of a symbol were checked against. */
export type RecordedQuote = Infer<typeof quote>;

export type Plan = Infer<typeof planSchema>;
