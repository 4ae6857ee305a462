/** Compares several playbooks with the exchange: one that cannot be compared is named, and the others are compared. */
import { DeskhandError } from '../../base/error.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Drift } from '../../report/markdown/drift-comment.ts';
import type { Config } from '../config/load.ts';
import type { AppContext } from '../app-context.ts';
import { driftOfPlaybook } from './drift.ts';

/** A playbook that was not compared: it is invalid, or its account is unknown or cannot be read. */
export interface InvalidPlaybook {
  readonly file: string;
  readonly error: DeskhandError;
}

export interface Drifts {
  readonly drifts: readonly Drift[];
  readonly invalid: readonly InvalidPlaybook[];
}

/**
 * @param load loads a playbook, and shows its problems
 * @throws the error of the first playbook if none can be compared
 */
export async function driftsOf(
  files: readonly string[],
  load: (file: string) => Promise<Playbook>,
  config: Config,
  signal: AbortSignal,
  context: AppContext,
): Promise<Drifts> {
  const drifts: Drift[] = [];
  const invalid: InvalidPlaybook[] = [];
  for (const file of files) {
    const compared = await load(file)
      .then(async (playbook) => driftOfPlaybook(playbook, config, signal, context))
      .catch((error: unknown) => {
        if (error instanceof DeskhandError && !signal.aborted) return error;
        throw error;
      });
    if (compared instanceof DeskhandError) invalid.push({ file, error: compared });
    else drifts.push({ ...compared, file });
  }
  const [first] = invalid;
  if (first !== undefined && drifts.length === 0) throw first.error;
  return { drifts, invalid };
}
