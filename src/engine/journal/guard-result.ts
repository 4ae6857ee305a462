/** The usage of a limit, in plans and at the end of a journal. */
import { optional, record, text, truth, type Infer } from '../../exchange/api/schema.ts';

export const guardResult = record({
  guard: text({ description: 'Its name, with its owner if it has one: max-writes of desk-2' }),
  account: optional(text({ description: 'Profile of the account that it limits, if only one' })),
  within: optional(text({ description: 'The step whose nested playbook it limits' })),
  limit: text(),
  used: text(),
  isKept: truth,
  message: text({ description: 'First violation; empty if there is none' }),
});

export type GuardResult = Infer<typeof guardResult>;
