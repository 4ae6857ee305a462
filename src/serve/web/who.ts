/** The rights of the person who is signed in. */
import { useLoaded } from './loaded.ts';

const roles = ['viewer', 'operator', 'approver'] as const;

/** Whether the person may act; false until it is known, and on a server that is read-only. */
export function useMayAct(least: (typeof roles)[number]): boolean {
  const { answer } = useLoaded('GET /about', {}, () => false);
  if (answer === undefined || answer.isReadOnly) return false;
  return roles.indexOf(answer.role) >= roles.indexOf(least);
}
