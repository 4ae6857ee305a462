/** The files of a plan as committed in Git, where another person can review them. */
import { isAbsolute, relative } from 'node:path';
import { sha256 } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { holdsPlan, planIn } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { committedBytes, filesNaming, unreadCheckoutHere } from '../machine/git.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';

type Folder = Pick<AppContext, 'env' | 'folder'>;

/**
 * Only Git knows whether an approver is another person, so it must contain exactly the playbook of the plan,
 * or of the run, and the playbooks it uses.
 * @throws ApprovalError for one that is not committed here, or differs there
 */
export async function refuseUncommitted(
  { id, playbook }: Pick<Plan, 'id' | 'playbook'>,
  place: Folder,
): Promise<void> {
  const of = `${id.startsWith('p-') ? 'plan' : 'run'} ${id}`;
  for (const { file, digest } of [playbook, ...(playbook.includes ?? [])]) {
    const path = isAbsolute(file) ? relative(folderOf(place), file) : file;
    const bytes = await committedBytes(path, place);
    if (bytes !== undefined && sha256(bytes) === digest) continue;
    const unread = bytes === undefined ? await unreadCheckoutHere(place) : undefined;
    if (unread !== undefined) {
      const message = `Git cannot tell who wrote ${plainText(file, 200)} of ${of}: ${unread.because}`;
      throw new ApprovalError(message, unread.hint);
    }
    const what = bytes === undefined ? 'is not committed here' : 'is committed with another text';
    throw new ApprovalError(
      `${plainText(file, 200)} of ${of} ${what}, so Git cannot tell who wrote it`,
      'commit the playbook, check that commit out, and make the plan again if the text changed',
    );
  }
}

/** The committed files that contain this plan, from the top of the repository. */
export async function filesOfPlan(
  { digest }: Pick<Plan, 'digest'>,
  place: Folder,
): Promise<readonly string[]> {
  const files = await filesNaming(digest, place);
  const found = await Promise.all(
    files.map(async (file) => ((await isPlanIn(file, digest, place)) ? [file] : [])),
  );
  return found.flat();
}

async function isPlanIn(file: string, digest: string, place: Folder): Promise<boolean> {
  const bytes = await committedBytes(`/${file}`, place);
  return bytes !== undefined && planHeld(bytes, file)?.digest === digest;
}

/** The plans with an id in the committed files of the repository. */
export async function committedPlans(id: string, place: Folder): Promise<readonly Plan[]> {
  const plans = new Map<string, Plan>();
  for (const file of await filesNaming(`"${id}"`, place)) {
    const bytes = await committedBytes(`/${file}`, place);
    const plan = bytes && planHeld(bytes, file);
    if (plan?.id === id) plans.set(plan.digest, plan);
  }
  return [...plans.values()];
}

/** The plan in the bytes of a file; undefined for any other file, and for a plan that was changed. */
function planHeld(bytes: Buffer, file: string): Plan | undefined {
  if (!holdsPlan(bytes)) return undefined;
  try {
    return planIn(bytes, file);
  } catch {
    return undefined; // its current state cannot have been signed
  }
}
