/** `approve` and `decline`: a person's signed decision about a plan. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { join } from 'node:path';
import { namespace, sign } from '../../engine/approval/keygen.ts';
import {
  bodyOf,
  recordOf,
  type ApprovalRecord,
  type SignedFile,
} from '../../engine/approval/record.ts';
import { signatureIn } from '../../engine/approval/signature.ts';
import { lengthIn, type Millis } from '../../base/clock.ts';
import { UsageError, type ExitCode } from '../../base/error.ts';
import { homeFolder } from '../../base/platform/home.ts';
import { plainText } from '../../base/text.ts';
import { readPlan } from '../../engine/plan/file.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { signingKeyHere } from '../../app/machine/git.ts';
import { missingFile } from '../../app/machine/read-named.ts';
import { refuseBroken } from '../../app/planning/guarded.ts';
import { isPlanId, planNamed } from '../../app/planning/plan-named.ts';
import { configOf } from '../../app/config/opened.ts';
import { planText } from '../../report/terminal/plan.ts';
import { askPerson } from './ask.ts';
import { ApprovalError } from '../../engine/approval/error.ts';
import { computedPlan } from './computed.ts';
import { approvedLast } from './last.ts';
import type { Decision } from './decided.ts';
import { givenRecord, signedElsewhere } from './elsewhere.ts';
import { saveDecision } from './save.ts';
import { askedOf } from '../../app/approval/asked.ts';
import { refuseUnbounded } from '../../app/approval/unbounded.ts';
import { printUnsigned } from './unsigned.ts';

export async function recordDecision(
  verdict: Decision['verdict'],
  context: Context,
  args: Args,
): Promise<ExitCode> {
  outputOf(context, ['text', 'json']);
  const path = args.text('record');
  const given = path === undefined ? undefined : await givenRecord(path, context);
  const decision = await decisionOf(verdict, context, args);
  if (args.isOn('unsigned')) {
    const record = recordFor(decision, args.text('comment'), context.clock.now());
    return printUnsigned(decision, record, context);
  }
  if (verdict === 'approve') {
    refuseBroken(decision.plan);
    refuseUnbounded(decision.plan);
  }
  const signed =
    given === undefined
      ? await signedHere(decision, context, args)
      : signedElsewhere(given, decision);
  return saveDecision(decision, signed, context, args.text('out'));
}

async function decisionOf(
  verdict: Decision['verdict'],
  context: Context,
  args: Args,
): Promise<Decision> {
  const config = await configOf(context);
  const word = args.positionals[0] ?? '';
  const isId = isPlanId(word);
  if (!isId && !existsSync(word)) throw await missingFile(word, process.cwd());
  const saved = isId ? await planNamed(word, config, context) : await readPlan(word);
  // A plan may be declined whatever its contents are.
  const plan = verdict === 'approve' ? await computedPlan(saved, config, context) : saved;
  const asked = askedOf(plan, config);
  const longest = Math.max(...asked.map(({ rules }) => rules.lasts)); // each profile has its own limit
  return { verdict, plan, config, asked, lasts: Math.min(lastsIn(args) ?? longest, longest) };
}

/** What a person signs: the record of their decision, from now on. */
function recordFor(
  { verdict, plan, lasts }: Decision,
  comment: string | undefined,
  at: Millis,
): ApprovalRecord {
  return recordOf(plan, {
    verdict,
    at,
    ...(verdict === 'approve' && { expiresAt: at + lasts }),
    ...(comment !== undefined && { comment: plainText(comment) }),
  });
}

/** Shows the plan, asks, and signs with an SSH key. */
async function signedHere(
  decision: Decision,
  context: Context,
  args: Args,
): Promise<Required<SignedFile>> {
  const { terminal, clock, globals } = context;
  const { verdict, plan, config } = decision;
  if (verdict === 'approve') {
    if (!globals.isQuiet || terminal.canAsk) {
      const since = await approvedLast(plan, config, context);
      const lines = planText(plan, { isFull: true, since }, terminal.err.theme);
      terminal.err.line(`${lines.join('\n')}\n`);
    }
    await askPerson(plan, args.text('confirm'), terminal);
  }
  const record = recordFor(decision, args.text('comment'), clock.now());
  const body = bodyOf(record);
  const signature = signatureIn(await signedBy(args.text('key'), body, context));
  if (signature === undefined)
    throw new ApprovalError('ssh-keygen returned no signature', 'try again');
  return { file: '', body, signature, record };
}

function lastsIn(args: Args): Millis | undefined {
  const text = args.text('expires');
  if (text === undefined) return undefined;
  const lasts = lengthIn(text);
  if (lasts !== undefined && lasts > 0) return lasts;
  throw new UsageError('--expires is a duration', 'such as 90s, 15m, 2h or 3d');
}

/** With the key given, that of Git, or that of ssh. */
export async function signedBy(
  named: string | undefined,
  body: string,
  { terminal: { env, canAsk } }: Context,
  as = namespace,
): Promise<string> {
  const key = named ?? (await signingKeyHere({ env })) ?? usualKey(env['HOME'] || homeFolder());
  const asking = { env, canAsk, as };
  if (existsSync(key)) return sign(body, key, asking);
  if (!/^(key::)?(ssh|ecdsa|sk)-/.test(key)) {
    throw new UsageError(`key not found: ${key}`, 'name the file of a private or public key');
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

function usualKey(home: string | undefined): string {
  const types = home === undefined ? [] : ['ed25519', 'ecdsa', 'rsa'];
  const files = types.map((type) => join(home ?? '', '.ssh', `id_${type}`));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new UsageError('no SSH key to sign with', 'name one: --key FILE');
}
