/** The findings of `doctor` about the database of a state store. */
import type { Clock } from '../../base/clock.ts';
import { second } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import { spoken } from '../../base/text.ts';
import { inspectPostgres } from '../../stores/postgres/inspect.ts';
import { ok, warning, type Finding } from './finding.ts';

const apartMax = 5 * second; // clocks; only people compare the two

/** @param message what is known about the store so far */
export async function databaseFindings(
  url: Secret,
  message: string,
  clock: Clock,
): Promise<readonly Finding[]> {
  const before = clock.now();
  const health = await inspectPostgres(url.reveal());
  const apart = Math.abs(health.now - (before + clock.now()) / 2);
  const what = `${message}; server ${health.server}, tables of version ${health.tables}`;
  const findings = [ok('state store', what)];
  if (!health.fsync) {
    findings.push(
      warning(
        'state store',
        'fsync is off: a crash of the server loses what it confirmed',
        'set fsync = on',
      ),
    );
  }
  if (!health.hasSynchronousStandby) {
    findings.push(
      warning(
        'state store',
        'no synchronous standby: a failover may lose lines, and two primaries could both be used',
        'set synchronous_standby_names before failover is automatic',
      ),
    );
  }
  if (health.isTimelineReadable === false) {
    findings.push(
      warning(
        'state store',
        'the timeline cannot be read: a restored database is not recognized',
        'after a failover or a restore: deskhand store restored',
      ),
    );
  }
  if (apart > apartMax) {
    findings.push(
      warning('state store', `its clock differs by ${spoken(apart)}`, 'synchronize the clocks'),
    );
  }
  return findings;
}
