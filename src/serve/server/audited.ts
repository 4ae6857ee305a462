/** Records a request that changes something in the audit log, before and after it is carried out. */
import type { ServerContext } from './route-context.ts';
import { failureOf, unexpected } from './failure.ts';
import type { RouteRequest } from './route.ts';

/**
 * Records a write in the audit log and executes it.
 * @param what is asked, for the log
 * @throws DiskError when the line cannot be written; then nothing was carried out
 */
export async function audited<T>(
  { session, from }: Pick<RouteRequest<unknown>, 'session' | 'from'>,
  what: string,
  { actions: { audit } }: ServerContext,
  work: () => Promise<T>,
): Promise<T> {
  if (session === undefined) return work(); // strangers could fill the disk
  const id = await audit.asked({ who: session.who, from, what });
  try {
    const answer = await work();
    await audit.answered(id, 200, '');
    return answer;
  } catch (error) {
    const { status, message } = failureOf(error) ?? unexpected;
    await audit.answered(id, status, message);
    throw error;
  }
}
