/** `approve` and `decline`: a person's signed word on a plan, for whoever runs it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesOf } from '../../approval/judge.ts';
import { sign } from '../../approval/keygen.ts';
import { bodyOf, recordOf, writeRecord } from '../../approval/record.ts';
import { signatureIn } from '../../approval/signature.ts';
import { lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { readPlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { signingKeyHere } from '../git.ts';
import { missingFile } from '../given/files.ts';
import { refuseBroken } from '../running/guarded.ts';
import { writeJson } from '../running/papers.ts';
import { planNamed } from '../running/reviewed.ts';
import { configOf } from '../running/work.ts';
import { planText } from '../screens/plan.ts';
import { ApprovalError, askPerson } from './ask.ts';
import { askedOf, countedFor, recordsFolder } from './signed.ts';

export async function giveVerdict(
  verdict: 'approve' | 'decline',
  context: Context,
  given: Given,
): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const { terminal, clock, globals } = context;
  const config = await configOf(context);
  const word = given.words[0] ?? '';
  const isId = /^p-[0-9a-f]{8}$/.test(word);
  if (!isId && !existsSync(word)) throw await missingFile(word);
  const plan = isId ? await planNamed(word, config) : await readPlan(word);
  const asked = askedOf(plan, config);
  const longest = Math.max(...asked.map(({ rules }) => rules.lasts)); // each profile holds it to its own
  const lasts = Math.min(lastsIn(given) ?? longest, longest);
  if (verdict === 'approve') {
    refuseBroken(plan);
    if (!globals.isQuiet || terminal.canAsk) {
      terminal.err.line(`${planText(plan, { isFull: false }, terminal.err.look).join('\n')}\n`);
    }
    await askPerson(plan, given.text('confirm'), terminal);
  }
  const at = clock.now();
  const comment = given.text('comment');
  const said = recordOf(plan, {
    verdict,
    at,
    ...(verdict === 'approve' && { expiresAt: at + lasts }),
    ...(comment !== undefined && { comment: plainText(comment) }),
  });
  const body = bodyOf(said);
  const signature = signatureIn(await signedBy(given.text('key'), body, context));
  if (signature === undefined) throw new ApprovalError('ssh-keygen gave no signature', 'try again');
  const signed = { file: '', body, signature, record: said };
  const { signer, rules } = await countedFor(plan, signed, asked, context);
  const folders = new Set(rules.map((each) => recordsFolder(each, config)));
  const files = new Set<string>();
  for (const folder of folders) {
    files.add(await writeRecord(folder, said, signature, given.text('out')));
  }
  const [file = ''] = files;
  const result = { ...said, who: namesOf(signer), key: signer.key, file, files: [...files] };
  await writeJson(result, context);
  if (format === 'json') terminal.out.line(JSON.stringify(result));
  else tell(plan, verdict, result, context);
  return exits.done;
}

function tell(
  plan: Plan,
  verdict: 'approve' | 'decline',
  {
    who,
    key,
    files,
  }: { readonly who: string; readonly key: string; readonly files: readonly string[] },
  { terminal: { out } }: Context,
): void {
  const done = verdict === 'approve' ? 'approved' : 'declined';
  out.line(`${done} ${plan.id} as ${plainText(who)} (${key})`);
  for (const file of files) out.line(`saved ${plainText(file)}`);
}

function lastsIn(given: Given): Millis | undefined {
  const text = given.text('expires');
  if (text === undefined) return undefined;
  const lasts = lengthIn(text);
  if (lasts !== undefined && lasts > 0) return lasts;
  throw new UsageError('--expires is a length of time', 'such as 90s, 15m, 2h or 3d');
}

/** With the key that is named, that Git signs with, or that ssh would use. */
async function signedBy(
  named: string | undefined,
  body: string,
  { terminal: { env, canAsk } }: Context,
): Promise<string> {
  const key = named ?? (await signingKeyHere(env)) ?? usualKey(env['HOME'] ?? homedir());
  const asking = { env, canAsk };
  if (existsSync(key)) return sign(body, key, asking);
  if (!/^(key::)?(ssh|ecdsa|sk)-/.test(key)) {
    throw new UsageError(`there is no key ${key}`, 'name the file of a private or public key');
  }
  const folder = await mkdtemp(join(tmpdir(), 'deskhand-'));
  try {
    const file = join(folder, 'key.pub');
    await writeFile(file, `${key.replace(/^key::/, '')}\n`);
    return await sign(body, file, asking);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function usualKey(home: string): string {
  const files = ['ed25519', 'ecdsa', 'rsa'].map((type) => join(home, '.ssh', `id_${type}`));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new UsageError('there is no SSH key to sign with', 'name one: --key FILE');
}
