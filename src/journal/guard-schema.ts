/** A limit and what of it was used, as JSON Schema: in plans, and at the end of a journal. */
import { record, text, type Schema } from '../api/schema.ts';
import type { GuardResult } from './entry.ts';

const truth: Schema<boolean> = { json: { type: 'boolean' } };

export const guardSchema: Schema<GuardResult> = record({
  guard: text(),
  limit: text(),
  used: text(),
  isKept: truth,
  message: text({ description: 'First violation; empty if there is none' }),
});
