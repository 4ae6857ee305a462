/** Where the signed answers to a run are: in the folder of its profile, and in the store of the project. */
import { join } from 'node:path';
import { sha256 } from '../../base/json.ts';
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { recordsIn, signedIn, type SignedFile } from '../../engine/approval/record.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { AppContext } from '../app-context.ts';
import { recordsFolder } from '../approval/signed.ts';
import type { Config } from '../config/load.ts';
import { storeOf } from '../store/synchronized.ts';

const folderOf = (run: string): string => `approvals/${run}`;

/** All answers to a run, each once. @throws StoreError */
export async function answersAbout(
  run: string,
  destination: Destination,
  rules: ApprovalRules,
  config: Config,
  context: AppContext,
): Promise<readonly SignedFile[]> {
  const own = await recordsIn(recordsFolder(rules, config), run);
  const stored: SignedFile[] = [];
  const { coordination } = await storeOf(config, context, destination);
  for (const name of (await coordination?.files.names(folderOf(run))) ?? []) {
    const text = await coordination?.files.read(join(folderOf(run), name));
    if (text !== undefined) stored.push(signedIn(Buffer.from(text), `${name} in the store`));
  }
  return [...new Map([...own, ...stored].map((each) => [each.text, each])).values()];
}

/** Puts an answer into the store, where the machine of the run finds it; without one it does nothing. */
export async function shareAnswer(
  run: string,
  destination: Destination,
  text: string,
  config: Config,
  context: AppContext,
): Promise<void> {
  const { coordination } = await storeOf(config, context, destination);
  const name = `${sha256(text).slice(0, 16)}.approval`;
  await coordination?.files.create(join(folderOf(run), name), text);
}
