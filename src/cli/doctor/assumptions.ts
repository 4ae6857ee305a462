/** What no order twice rests on for a profile, and how far each part of it is known. */
import { accountOf } from '../../journal/account.ts';
import type { Destination } from '../../journal/entry.ts';
import { readVisibilities } from '../../journal/visibility.ts';
import { assumptionsOf, type Assumption } from '../../report/assumptions.ts';
import { ok, unknown, warning, type Finding } from './finding.ts';

/** @param clock what was found of this machine's clock: the first of them is about time */
export async function assumptions(
  destination: Destination,
  stateDir: string,
  clock: Finding,
): Promise<readonly Finding[]> {
  const known = await readVisibilities(stateDir, [destination]);
  const all = assumptionsOf(destination, known.get(accountOf(destination)));
  return all.map((assumption) => {
    const { number, says, because } = assumption;
    const beside = number === 1 && assumption.state === 'assumed' ? `; ${clock.says}` : '';
    return findingOf(assumption, `A${number}: ${says} (${because}${beside})`);
  });
}

const what = 'rests on';

function findingOf({ state }: Assumption, says: string): Finding {
  switch (state) {
    case 'proved':
      return ok(what, says);
    case 'assumed':
    case 'open':
      return unknown(what, says);
    case 'refuted':
      return warning(
        what,
        `not so: ${says}`,
        'nothing is sent again there, doubts are yours (deskhand resolve); the first order of each run is looked up anew, and one that is found ends this',
      );
  }
}
