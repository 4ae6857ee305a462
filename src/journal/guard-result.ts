/** The usage of a limit, in plans and at the end of a journal. */
import { record, text, truth, type Infer } from '../api/schema.ts';

export const guardResult = record({
  guard: text(),
  limit: text(),
  used: text(),
  isKept: truth,
  message: text({ description: 'First violation; empty if there is none' }),
});

export type GuardResult = Infer<typeof guardResult>;
