/** Whether two accounts are on one exchange, as those of a run must be: prices, limits and approvals of a plan hold for one only. */
import { canonicalHost } from '../../base/host.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Fault } from '../../language/limits.ts';

const kinds = { live: 'live', demo: 'for demo trading', sandbox: 'a sandbox' } as const;

interface Place {
  readonly profile: string;
  readonly target: Destination['target'];
  readonly host: string;
}

/** The reason why an account cannot be used in a run on another; undefined if it can. */
export function elsewhereFault(other: Place, own: Place): Fault | undefined {
  const isHere = canonicalHost(other.host) === canonicalHost(own.host);
  if (isHere && other.target === own.target) return undefined;
  const where = (place: Place): string => (isHere ? kinds[place.target] : `on ${place.host}`);
  return {
    message: `profile ${other.profile} is ${where(other)}, but the run's own profile ${own.profile} is ${where(own)}`,
    hint: `all accounts of a run must be on one exchange: write account: ${other.profile} at the top of the playbook, or a playbook for each exchange`,
  };
}
