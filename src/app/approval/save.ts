/** Saves a signed decision that counts. */
import { namesOf } from '../../engine/approval/check.ts';
import {
  writeRecord,
  type ApprovalRecord,
  type SignedRecord,
} from '../../engine/approval/record.ts';
import type { AppContext } from '../app-context.ts';
import type { Decision } from './decision.ts';
import { countedFor, recordsFolder } from './signed.ts';

/** The record of a decision, its signer, and the path of its file. */
export type SavedDecision = ApprovalRecord & {
  readonly who: string;
  /** Fingerprint of the key that signed. */
  readonly key: string;
  readonly file: string;
  readonly files: readonly string[];
};

/**
 * @param path of the file; default: one in the folder of each profile
 * @throws ApprovalError when it would not count
 */
export async function saveDecision(
  { plan, asked, config }: Decision,
  signed: SignedRecord,
  context: AppContext,
  path?: string,
): Promise<SavedDecision> {
  const { record, signature } = signed;
  const { signer, rules } = await countedFor(plan, signed, asked, context);
  const folders = new Set(rules.map((each) => recordsFolder(each, config)));
  const files = new Set<string>();
  for (const folder of folders) {
    files.add(await writeRecord(folder, record, signature, path));
  }
  const [file = ''] = files;
  return { ...record, who: namesOf(signer), key: signer.key, file, files: [...files] };
}
