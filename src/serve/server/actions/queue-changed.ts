/** Shows a change of the queue at once, instead of with the next look at the store. */
import type { ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';

export async function queueChanged(
  { queue, name }: Pick<Desk, 'queue' | 'name'>,
  { notices }: Pick<ServerContext, 'notices'>,
): Promise<void> {
  if ((await queue?.fetch()) === true) notices.publish({ kind: 'queue', desk: name });
}
