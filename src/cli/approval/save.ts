/** Saves a signed decision that counts, and prints where. */
import { namesOf } from '../../engine/approval/check.ts';
import { writeRecord, type SignedFile } from '../../engine/approval/record.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { outputOf, type Context } from '../context.ts';
import { writeJson } from '../session/documents.ts';
import type { Decision } from './decided.ts';
import { countedFor, recordsFolder } from '../../app/approval/signed.ts';

/** @throws ApprovalError when it would not count */
export async function saveDecision(
  { verdict, plan, asked, config }: Decision,
  signed: Required<SignedFile>,
  context: Context,
  path: string | undefined,
): Promise<ExitCode> {
  const { record, signature } = signed;
  const { signer, rules } = await countedFor(plan, signed, asked, context);
  const folders = new Set(rules.map((each) => recordsFolder(each, config)));
  const files = new Set<string>();
  for (const folder of folders) {
    files.add(await writeRecord(folder, record, signature, path));
  }
  const [file = ''] = files;
  const { key } = signer;
  const who = namesOf(signer);
  const result = { ...record, who, key, file, files: [...files] };
  await writeJson(result, context);
  const { out } = context.terminal;
  if (outputOf(context, ['text', 'json']) === 'json') {
    out.json(result);
    return exits.done;
  }
  const done = verdict === 'approve' ? 'approved' : 'declined';
  out.line(`${done} ${plan.id} as ${plainText(who)} (${key})`);
  for (const each of files) out.line(`saved ${plainText(each)}`);
  return exits.done;
}
