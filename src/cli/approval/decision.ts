/** `approve` and `decline`: a person's signed decision about a plan. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import { bodyOf, type SignedRecord } from '../../engine/approval/record.ts';
import { signatureIn } from '../../engine/approval/signature.ts';
import { readPlan } from '../../engine/plan/file.ts';
import { lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import {
  decisionOn,
  recordFor,
  refuseUnsignable,
  type Decision,
} from '../../app/approval/decision.ts';
import { signedElsewhere, type GivenRecord } from '../../app/approval/elsewhere.ts';
import { approvedLast } from '../../app/approval/last.ts';
import { offerOf } from '../../app/approval/offered.ts';
import { saveDecision, type SavedDecision } from '../../app/approval/save.ts';
import { signedBy } from '../../app/approval/sign.ts';
import { configOf } from '../../app/config/opened.ts';
import { missingFile } from '../../app/machine/read-named.ts';
import { isPlanId, planNamed } from '../../app/planning/plan-named.ts';
import { planText } from '../../report/terminal/plan-screen.ts';
import { readArgument } from '../args/named-file.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { writeJson } from '../running/documents.ts';
import { askPerson } from './ask.ts';

export async function recordDecision(
  verdict: Decision['verdict'],
  context: Context,
  args: Args,
): Promise<ExitCode> {
  outputOf(context, ['text', 'json']);
  const path = args.text('record');
  const given = path === undefined ? undefined : await givenRecord(path, context);
  const decision = await decisionOf(verdict, context, args);
  if (args.isOn('unsigned')) return printUnsigned(decision, context, args);
  refuseUnsignable(decision);
  const signed =
    given === undefined
      ? await signedHere(decision, context, args)
      : signedElsewhere(given, decision);
  const saved = await saveDecision(decision, signed, context, args.text('out'));
  return printSaved(saved, context);
}

/**
 * The signed record of a file, which is read before anything is known of its plan: it may come from
 * a pipe.
 */
async function givenRecord(path: string, { terminal }: Context): Promise<GivenRecord> {
  const name = path === '-' ? 'stdin' : plainText(path, 200);
  return { name, bytes: await readArgument(path, terminal) };
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
  return decisionOn(saved, verdict, lastsIn(args), config, context);
}

function lastsIn(args: Args): Millis | undefined {
  const text = args.text('expires');
  if (text === undefined) return undefined;
  const lasts = lengthIn(text);
  if (lasts !== undefined && lasts > 0) return lasts;
  throw new UsageError('--expires is a duration', 'such as 90s, 15m, 2h or 3d');
}

/** Shows the plan, asks, and signs with an SSH key. */
async function signedHere(decision: Decision, context: Context, args: Args): Promise<SignedRecord> {
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

/**
 * Prints the record to sign. The text format is the record alone, which can be piped to a signer.
 */
async function printUnsigned(decision: Decision, context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const comment = args.text('comment');
  const isText = outputOf(context, ['text', 'json']) === 'text';
  if (isText && context.globals.jsonInto === undefined) {
    out.write(bodyOf(recordFor(decision, comment, context.clock.now())));
    return exits.done;
  }
  const offer = await offerOf(decision, comment, context);
  await writeJson(offer, context);
  if (isText) out.write(offer.record);
  else out.json(offer);
  return exits.done;
}

async function printSaved(saved: SavedDecision, context: Context): Promise<ExitCode> {
  await writeJson(saved, context);
  const { out } = context.terminal;
  if (outputOf(context, ['text', 'json']) === 'json') {
    out.json(saved);
    return exits.done;
  }
  const done = saved.verdict === 'approve' ? 'approved' : 'declined';
  out.line(`${done} ${saved.plan} as ${plainText(saved.who)} (${saved.key})`);
  for (const each of saved.files) out.line(`saved ${plainText(each)}`);
  return exits.done;
}
