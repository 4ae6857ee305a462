/** The account family that an operation serves: on the real exchange a key belongs to one of them. */
import type { Operation } from './operation.ts';

/** `classic`: accounts of the v2 paths. `unified`: accounts of the v3 paths. */
export type Family = 'classic' | 'unified';

/**
 * The family whose keys an operation serves; undefined if it serves the keys of both. Public paths need
 * no key, and those of brokers are about an agent, not about an account.
 */
export function familyOf({ access, path }: Pick<Operation, 'access' | 'path'>): Family | undefined {
  if (access === 'public') return undefined;
  if (path.startsWith('/api/v3/')) return 'unified';
  return path.startsWith('/api/v2/') ? 'classic' : undefined;
}
