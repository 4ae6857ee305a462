/** Names that writes of a plan give to objects of an account. */
import { accountOf, type Destination } from '../journal/account.ts';

/** The key of a name in the plan: two accounts may use one name. */
export function nameOf(account: Destination, field: string, value: unknown): string {
  return `${accountOf(account)} ${field} ${String(value)}`;
}
