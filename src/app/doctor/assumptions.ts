/** The assumptions behind "no order twice" for a profile, and the evidence for each. */
import type { Destination } from '../../engine/journal/entry.ts';
import { readVisibilities, visibilitiesOf } from '../../engine/journal/visibility.ts';
import { assumptionsOf, type Assumption } from '../../report/assumptions.ts';
import { ok, unknown, warning, type Finding } from './finding.ts';

/** @param clock the finding about this machine's clock: the first assumption is about time */
export async function assumptions(
  destination: Destination,
  stateDir: string,
  clock: Finding,
): Promise<readonly Finding[]> {
  const known = await readVisibilities(stateDir, [destination]);
  const all = assumptionsOf(destination, visibilitiesOf(destination, known));
  return all.map((assumption) => {
    const { number, statement, because } = assumption;
    const beside = number === 1 && assumption.state === 'assumed' ? `; ${clock.message}` : '';
    return findingOf(assumption, `A${number}: ${statement} (${because}${beside})`);
  });
}

const what = 'assumes';

function findingOf({ state }: Assumption, message: string): Finding {
  switch (state) {
    case 'proved':
      return ok(what, message);
    case 'assumed':
    case 'open':
      return unknown(what, message);
    case 'refuted':
      return warning(
        what,
        `not true: ${message}`,
        'nothing is sent again there, and a person settles doubts (`deskhand resolve RUN ADDRESS --absent`); the first order of each run is looked up, and this ends when one is found',
      );
  }
}
