/** `approve`: waits until people answer, or until their time is over, and records who did. */
import { exits } from '../../base/error.ts';
import { digestOf, type Json } from '../../base/json.ts';
import { count, listed, plainText } from '../../base/text.ts';
import type { ApprovalJob } from '../interpreter/jobs.ts';
import type { Question } from '../journal/asked-schema.ts';
import type { Outcome } from '../journal/entry.ts';
import { declinedCode, unansweredCode } from '../journal/unapproved.ts';
import type { Attempt, Effect } from './effect.ts';
import type { EffectContext } from './effect-context.ts';
import { answersIn } from '../journal/people-answers.ts';
import type { Answered, AskedEvent } from './people.ts';

/** The digest that people sign: of everything that they are shown. */
export function questionDigest({ text, lasts, by, of, count: least, effects }: Question): string {
  return digestOf({ text, lasts, by, of, count: least, effects });
}

export function approvalEffect(
  contextFor: (job: ApprovalJob, attempt: Attempt) => EffectContext,
): Effect<ApprovalJob> {
  return {
    class: 'read',
    execute: (job, attempt) => ask(job, attempt, contextFor(job, attempt)),
    confirm: async (job, outcome, attempt) => {
      const { asked } = attempt.before;
      if (outcome.kind !== 'done' || asked === undefined) return;
      await contextFor(job, attempt).answers.confirm(asked, answersIn(outcome.output));
    },
  };
}

async function ask(job: ApprovalJob, attempt: Attempt, context: EffectContext): Promise<Outcome> {
  const { question } = job;
  const { asked: before } = attempt.before;
  const { exchange, answers, halt, destination } = context;
  const digest = questionDigest(question);
  if (before !== undefined && before.digest !== digest) return otherQuestion(before);
  const now = await exchange.serverTime(halt);
  const asked: AskedEvent = before ?? {
    kind: 'asked',
    address: attempt.key,
    destination,
    time: now,
    until: now + question.lasts,
    ...question,
    digest,
  };
  if (before === undefined) await attempt.note(asked);
  const left = asked.until - now;
  const found = left > 0 ? await answers.wait(asked, left, attempt.stopped) : undefined;
  return found === undefined ? unanswered(asked) : outcomeOf(found);
}

function outcomeOf(found: Answered): Outcome {
  if (found.verdict === 'decline') {
    const { who, comment } = found.answer;
    const why = comment === undefined ? '' : `: ${plainText(comment, 200)}`;
    return {
      kind: 'failed',
      code: declinedCode,
      message: `${plainText(who, 100)} declined what follows${why}`,
      hint: 'nothing of it was sent; make a new run after they agree',
      exit: exits.heldBack,
    };
  }
  const { answers } = found;
  const output: Json = {
    who: answers.map(({ who }) => who),
    answers: answers.map((answer) => ({ ...answer })),
  };
  return { kind: 'done', output, evidence: 'answered' };
}

function unanswered({ of, count: least = 1 }: AskedEvent): Outcome {
  const whom = of === undefined ? '' : ` by ${plainText(listed(of, 'or'), 200)}`;
  return {
    kind: 'failed',
    code: unansweredCode,
    message: `the time for ${count(least, 'approval')}${whom} is over`,
    hint: 'nothing that follows was sent; start a new run to ask again',
    exit: exits.heldBack,
  };
}

function otherQuestion({ address }: AskedEvent): Outcome {
  return {
    kind: 'failed',
    code: 'other-than-approved',
    message: `what follows ${address} differs from what people were asked to approve; nothing of it was sent`,
    hint: 'start a new run, and have it approved again',
    exit: exits.heldBack,
  };
}
