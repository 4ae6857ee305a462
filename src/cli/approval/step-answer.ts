/** `approve RUN STEP` and `decline RUN STEP`: a person's signed answer to a step of a run. */
import { existsSync } from 'node:fs';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { AnswerRecord } from '../../engine/approval/answer-record.ts';
import { signedIn } from '../../engine/approval/record.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { signatureIn } from '../../engine/approval/signature.ts';
import type { Signature } from '../../engine/approval/signed-text.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import {
  answerBody,
  answerFor,
  answerOffer,
  openQuestion,
  saveAnswer,
  type OpenQuestion,
  type SavedAnswer,
} from '../../app/answering/decision.ts';
import { signedBy } from '../../app/approval/sign.ts';
import { configOf } from '../../app/config/opened.ts';
import type { Config } from '../../app/config/load.ts';
import { fetchRuns } from '../../app/store/synchronized.ts';
import { questionLines } from '../../report/question.ts';
import { runNamed } from '../args/run-name.ts';
import { readArgument } from '../args/named-file.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { writeJson } from '../running/documents.ts';
import { askAnswer } from './ask.ts';

type Verdict = AnswerRecord['verdict'];

/** Whether the arguments name a step of a run, and not a plan. */
export function namesRun([word = '', step]: readonly string[]): boolean {
  return step !== undefined || (/^r-[a-z0-9-]+$|^last$/.test(word) && !existsSync(word));
}

export async function recordAnswer(
  verdict: Verdict,
  context: Context,
  args: Args,
): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  if (args.text('expires') !== undefined) {
    const hint = 'the step waits for as long as its `for` says';
    throw new UsageError('--expires is for the approval of a plan', hint);
  }
  const config = await configOf(context);
  const [word = '', step] = args.positionals;
  const run = await runNamed(config.stateDir, word, (id) => fetchRuns(config, context, id));
  const entries = await readRun(config.stateDir, run);
  const question = openQuestion(run, step, entries, config, context);
  if (args.isOn('unsigned')) {
    return printUnsigned(question, verdict, config, context, args);
  }
  const given = args.text('record');
  const signed =
    given === undefined
      ? await signedHere(question, verdict, context, args)
      : await signedElsewhere(given, context);
  const saved = await saveAnswer(question, verdict, signed, config, context, args.text('out'));
  await writeJson(saved, context);
  const { out } = context.terminal;
  if (format === 'json') out.json(saved);
  else for (const line of savedLines(saved)) out.line(line);
  return exits.done;
}

interface SignedText {
  readonly body: string;
  readonly signature: Signature;
}

/** Shows the question, asks, and signs with an SSH key. */
async function signedHere(
  question: OpenQuestion,
  verdict: Verdict,
  context: Context,
  args: Args,
): Promise<SignedText> {
  const { terminal, clock, globals } = context;
  if (verdict === 'approve') {
    if (!globals.isQuiet || terminal.canAsk) {
      const { run, playbook } = question.run;
      const lines = questionLines({ ...question, run, playbook: playbook.name });
      terminal.err.line(`${lines.join('\n')}\n`);
    }
    const { destination, address } = question.asked;
    await askAnswer(
      { run: question.run.run, address, destination },
      args.text('confirm'),
      terminal,
    );
  }
  const body = answerBody(answerFor(question, verdict, args.text('comment'), clock.now()));
  const signature = signatureIn(await signedBy(args.text('key'), body, context));
  if (signature === undefined) {
    throw new ApprovalError('ssh-keygen returned no signature', 'try again');
  }
  return { body, signature };
}

async function signedElsewhere(path: string, { terminal }: Context): Promise<SignedText> {
  const name = path === '-' ? 'stdin' : plainText(path, 200);
  const { body, signature } = signedIn(await readArgument(path, terminal), name);
  if (body !== undefined && signature !== undefined) return { body, signature };
  throw new ApprovalError(`${name} is not a signed record`, 'sign the text that --unsigned prints');
}

async function printUnsigned(
  question: OpenQuestion,
  verdict: Verdict,
  config: Config,
  context: Context,
  args: Args,
): Promise<ExitCode> {
  const { out } = context.terminal;
  const offer = await answerOffer(question, verdict, args.text('comment'), config, context);
  await writeJson(offer, context);
  if (outputOf(context, ['text', 'json']) === 'json') out.json(offer);
  else out.write(offer.record);
  return exits.done;
}

function savedLines({ verdict, run, step, who, key, file }: SavedAnswer): readonly string[] {
  const done = verdict === 'approve' ? 'approved' : 'declined';
  const what = `${plainText(step, 100)} of ${run}`;
  return [`${done} ${what} as ${plainText(who)} (${key})`, `saved ${plainText(file)}`];
}
