/** A saved plan by its id: from this machine, or made by a worker and kept in the store. */
import { join } from 'node:path';
import { fieldOf } from '../../../base/json.ts';
import { readPlan } from '../../../engine/plan/file.ts';
import type { Plan } from '../../../engine/plan/plan.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError } from '../failure.ts';

/**
 * A saved plan by its id. @throws NotFoundError; StalePlanError when it was changed; StoreError
 */
export async function planFor(
  id: string,
  { config, queue }: Pick<Desk, 'config' | 'queue'>,
): Promise<Plan> {
  if (queue !== undefined) return queue.plan(id);
  const path = join(config.stateDir, 'plans', `${id}.json`);
  return readPlan(path).catch((error: unknown) => {
    if (fieldOf(error, 'code') === 'usage') throw new NotFoundError(`no plan ${id}`);
    throw error;
  });
}
