/** The approved plan and the approvals of a run, kept in the store: a machine that continues the run checks
 * them again.
 */
import { join } from 'node:path';
import { signedIn, type SignedFile } from '../../engine/approval/record.ts';
import { sha256 } from '../../base/json.ts';
import type { Config } from '../config/load.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { sealedText } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isDatabase } from '../../stores/settings.ts';
import type { AppContext } from '../app-context.ts';
import { idForm, planHere } from '../planning/plan-named.ts';
import { openJobs } from '../store/jobs.ts';
import { storeOf } from '../store/synchronized.ts';
import { rulesFor } from './asked.ts';
import { recordsAbout } from './signed.ts';

const folderOf = (plan: string): string => `approvals/${plan}`;

/** The texts of all records about a plan that this machine has, under the rules for its accounts. */
export async function recordTexts(
  plan: string,
  accounts: readonly Destination[],
  config: Config,
  context: AppContext,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { rules } of rulesFor(accounts, config)) {
    for (const { text } of await recordsAbout(plan, rules, config, context)) {
      if (text !== undefined) texts.push(text);
    }
  }
  return [...new Set(texts)];
}

/**
 * Stores a plan that needs approvals, with the approvals that are here; without a database it does nothing.
 * @param plan default: the plan that is saved here, if any
 * @throws StoreError
 */
export async function keepApprovals(
  id: string,
  accounts: readonly Destination[],
  config: Config,
  context: AppContext,
  plan?: Plan,
): Promise<void> {
  if (!isDatabase(config.state) || rulesFor(accounts, config).length === 0) return;
  const { coordination } = await storeOf(config, context, accounts[0]);
  if (coordination === undefined) return;
  for (const text of await recordTexts(id, accounts, config, context)) {
    const name = `${sha256(text).slice(0, 16)}.approval`;
    await coordination.files.create(`${folderOf(id)}/${name}`, text);
  }
  const known = plan ?? (await planHere(id, config).catch(() => undefined));
  if (known?.id !== id) return;
  const jobs = await openJobs(config, context);
  try {
    await jobs.plans.put(id, sealedText(known));
  } finally {
    await jobs.close();
  }
}

/** The records about a plan in the store; none if no account needs them. @throws StoreError */
export async function keptApprovals(
  id: string | undefined,
  accounts: readonly Destination[],
  config: Config,
  context: AppContext,
): Promise<readonly SignedFile[]> {
  if (id === undefined || !idForm.test(id) || !isDatabase(config.state)) return [];
  if (rulesFor(accounts, config).length === 0) return [];
  const { coordination } = await storeOf(config, context, accounts[0]);
  if (coordination === undefined) return [];
  const kept: SignedFile[] = [];
  for (const name of (await coordination.files.names(folderOf(id))).toSorted()) {
    const text = await coordination.files.read(join(folderOf(id), name));
    if (text !== undefined) kept.push(signedIn(Buffer.from(text), `${name} in the store`));
  }
  return kept;
}
