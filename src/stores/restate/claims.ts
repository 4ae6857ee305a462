/** Reads claims from the objects of runs: a value that another program wrote hides no other claim. */
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { shownClaimOf } from '../shared/known-run.ts';
import type { SharedClaim } from '../shared/shared-runs.ts';
import type { Looked } from './objects/run-state.ts';

/** Reads the claims of runs. @param look asks the object of a run */
export async function claimsOf(
  runs: readonly string[],
  look: (run: string) => Promise<unknown>,
): Promise<readonly SharedClaim[]> {
  const found = await Promise.all(runs.map(async (run) => [run, await look(run)] as const));
  return found.flatMap(([run, looked]): readonly SharedClaim[] => {
    if (looked === undefined) return [];
    if (!isLooked(looked)) return [unreadable(run, looked)];
    return looked.isEnded ? [] : [shownClaimOf(looked)];
  });
}

function unreadable(run: string, looked: unknown): SharedClaim {
  const of = isRecord(looked) ? looked : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    run,
    playbook: text(of['playbook']),
    accounts: [],
    host: text(of['host']),
    nonce: text(of['nonce']),
    since: 0,
    left: isNumber(of['left']) ? of['left'] : 0,
    damage: `the claim of run ${plainText(run, 80)} in the database cannot be read: it has values of another type`,
  };
}

/** Whether a value describes a run. Accounts, process and times are checked by `shownClaimOf`. */
function isLooked(value: unknown): value is Looked {
  if (!isRecord(value)) return false;
  const { playbook, plan, host, nonce, left, isEnded } = value;
  const areTexts = [playbook, host, nonce, plan ?? ''].every((each) => typeof each === 'string');
  return areTexts && isNumber(left) && typeof isEnded === 'boolean';
}

const longest = 1e12; // milliseconds: about thirty years

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= longest;
}
