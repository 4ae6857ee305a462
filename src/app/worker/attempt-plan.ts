/** Does a job that asks for a plan: made from this worker's checkout, with its key, and stored. */
import { second } from '../../base/clock.ts';
import { exits } from '../../base/error.ts';
import { plainJson, sha256, type Json } from '../../base/json.ts';
import { redactor } from '../../base/secret.ts';
import { readRegular } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import { chooseProfile, type Config } from '../config/load.ts';
import { sealedText } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Job } from '../../stores/queue.ts';
import { CheckoutError, outsideCheckout } from '../machine/checkout.ts';
import { loadBytes } from '../planning/playbooks.ts';
import type { AppContext } from '../app-context.ts';
import { describeError } from '../running/describe.ts';
import { newPlan } from '../planning/new-plan.ts';
import type { Attempt } from './attempt.ts';
import { endingOf, isOfMachine, isPassing, waitOf } from './job-failure.ts';
import { planBodyOf, type FileDigest, type PlanBody, type PlanResult } from '../queue/job.ts';
import type { Attempted } from './work-options.ts';
import { refuseOtherProfiles } from './served.ts';

const linesMax = 1_000; // printed; problems of a playbook are far fewer

/**
 * Makes the plan of a job. A plan sends nothing, so another worker simply repeats an attempt that is stopped.
 */
export async function attemptPlan(
  job: Job,
  options: Attempt,
  context: AppContext,
): Promise<Attempted> {
  const { config, stop, plans, screen } = options;
  const secrets = [...context.secrets]; // of this job alone
  const printed: string[] = [];
  const print = (text: string): void => {
    if (printed.length < linesMax) printed.push(...text.split('\n'));
  };
  const own: AppContext = {
    ...context,
    note: screen.notes(print, secrets),
    canAsk: () => false,
    secrets,
    stop,
    startsFull: true,
  };
  const resultOf = (result: Omit<PlanResult, 'printed'>): Json =>
    plainJson({ ...result, printed: printed.map(redactor(secrets)) });
  try {
    const { profiles } = job;
    refuseOtherProfiles(profiles, options.served);
    const plan = await planIn(job, config, own);
    if (!(await plans.put(plan.id, sealedText(plan)))) {
      return { kind: 'given-back', delay: 0 }; // another plan has this id: the next one gets another
    }
    const message = `made plan ${plan.id}`;
    const ending = { exit: exits.done, message, result: resultOf({ plan: plan.id }) };
    return { kind: 'ended', ending };
  } catch (error) {
    if (stop.aborted) return { kind: 'given-back', delay: 0 };
    if (isPassing(error)) {
      return { kind: 'given-back', delay: second, wait: waitOf(error, secrets) };
    }
    const { code } = describeError(error);
    const ending = { ...endingOf(error, secrets), result: resultOf({ code }) };
    return { kind: isOfMachine(error) ? 'unable' : 'ended', ending };
  }
}

async function planIn(
  { id, body: raw, profiles, by }: Job,
  config: Config,
  context: AppContext,
): Promise<Plan> {
  const body = planBodyOf(raw);
  const [name] = profiles;
  if (body === undefined || name === undefined) {
    throw new StalePlanError(`the job ${plainText(id, 64)} cannot be read`);
  }
  const { profile } = chooseProfile(config, { flag: name });
  const whole = await playbookHere(body, by, config, context);
  const { inputs, only, scheduledFor, expires, authors } = body;
  const choice = {
    only,
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(expires !== undefined && { expires }),
  };
  const values = new Map(Object.entries(inputs));
  const request = { whole, values, profile, choice, isOffline: false, authors };
  return newPlan(request, config, context);
}

/** The playbook of this checkout. @throws CheckoutError unless it is the same as in the job byte by byte */
async function playbookHere(
  { files }: PlanBody,
  by: string,
  config: Config,
  context: AppContext,
): Promise<Playbook> {
  const [own] = files;
  refuseOutside(own);
  const bytes = await readRegular(own.file);
  refuseOther(own, sha256(bytes), by);
  const whole = loadBytes(bytes, own.file, config, context);
  const here = new Map(whole.includes.map(({ file, digest }) => [file, digest]));
  for (const each of files.slice(1)) refuseOther(each, here.get(each.file), by);
  if (here.size === files.length - 1) return whole;
  throw new CheckoutError(`${plainText(own.file, 200)} uses other playbooks in this checkout`);
}

/** Refuses a path outside the checkout: the queue may name any path. */
function refuseOutside({ file }: FileDigest): void {
  const isBelow = !file.startsWith('/') && !file.includes('\0') && !file.split('/').includes('..');
  const why = isBelow ? outsideCheckout(file) : 'is not a path below the folder of this worker';
  if (why === undefined) return;
  throw new CheckoutError(
    `${plainText(file, 200)} ${why}`,
    'update the checkout of the worker to the commit of the playbook',
  );
}

function refuseOther({ file, digest }: FileDigest, here: string | undefined, by: string): void {
  if (here === digest) return;
  const found = here === undefined ? 'not used' : `sha256 ${here}`;
  throw new CheckoutError(
    `${plainText(file, 200)} is not the same here: sha256 ${plainText(digest, 64)} for ${plainText(by, 60)}, ${found} on this worker`,
    'check out the same commit on both machines',
  );
}
