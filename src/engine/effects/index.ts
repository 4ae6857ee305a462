/** Creates the effects of a run. */
import { InternalError } from '../../base/error.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { usedBy } from '../interpreter/interpret.ts';
import type { RunJobs, StepJob, WriteJob } from '../interpreter/jobs.ts';
import { deserializeScope } from '../interpreter/serialized.ts';
import type { Item } from '../plan/items.ts';
import { listedLineOf, placesOrders } from '../../exchange/api/meant-order.ts';
import type { Outcome } from '../journal/entry.ts';
import { effectContexts, type EffectContext, type RunEnvironment } from './effect-context.ts';
import { approvalEffect } from './ask-people.ts';
import { performers } from './built-in.ts';
import type { Effect, Effects } from './effect.ts';
import { executeWrite } from './execute-write.ts';
import { usesFor, type StepUses } from '../plan/uses.ts';
import { withoutRows } from './brief.ts';
import { readOnce } from './read.ts';
import { cleanUpExport, writeFile } from './write.ts';

export function effectsOf(world: RunEnvironment): Effects<RunJobs> {
  const contextFor = effectContexts(world);
  const stepAt = stepsBy(world.playbook);
  const isUsed = usesBy(world.playbook);
  const write = (repeat: Effect<WriteJob>['class']): Effect<WriteJob> => ({
    class: repeat,
    ...(repeat !== 'once' && { isSyncedLater: canBeFound(world) }),
    inputKey: ({ call: { operation, input, identity } }) => [operation, input, identity],
    execute: (job, attempt) => executeWrite(job, contextFor(job.account, attempt)),
  });
  const itemOf = ({ address, scope }: StepJob): Item => ({
    address,
    scope: deserializeScope(scope),
  });
  const step = (
    execute: (step: Step, item: Item, context: EffectContext) => Promise<Outcome>,
    repeat: Effect<StepJob>['class'] = 'read',
  ): Effect<StepJob> => ({
    class: repeat,
    // The reason of a stopped run may have different texts each time: the step is the same.
    inputKey: ({ file, id, scope: { failure: _failure, ...scope } }) => [file, id, scope],
    formerly: ({ file, id, scope }) => [file, id, scope],
    execute: (job, attempt) =>
      execute({ ...stepAt(job), path: job.path }, itemOf(job), contextFor(job.account, attempt)),
  });
  return {
    'exchange/read': {
      ...step(readOnce),
      isReadAgain: true,
      isSyncedLater: () => true,
      brief: (outcome, job) => (isUsed(job) ? outcome : withoutRows(outcome)),
    },
    'exchange/export': {
      ...step(writeFile),
      cleanup: (job, outcome, attempt) =>
        cleanUpExport(stepAt(job), itemOf(job), outcome, contextFor(job.account, attempt)),
    },
    'exchange/set': write('set'),
    'exchange/keyed': write('keyed'),
    'exchange/once': write('once'),
    approve: approvalEffect((job, attempt) => contextFor(job.account, attempt)),
    'report/table': step(performers['report/table']),
    'report/chart': step(performers['report/chart']),
    'report/page': { ...step(performers['report/page']), isFresh: true },
    'notify/webhook': step(performers['notify/webhook'], 'set'),
    'shell/run': step(performers['shell/run'], 'set'),
  };
}

/**
 * Whether a resume can find a lost outcome: a refusal cannot be found, and an order only if the lists
 * show it; a set is repeated.
 */
function canBeFound({ account, accounts, visibilities }: RunEnvironment) {
  const destinations = new Map(
    [account, ...accounts].map(({ destination }) => [destination.profile, destination]),
  );
  return ({ kind }: Outcome, { account: profile, call }: WriteJob): boolean => {
    if (kind !== 'done') return false;
    if (!placesOrders(call.operation)) return true;
    const destination = destinations.get(profile);
    if (destination === undefined) return false;
    const line = listedLineOf(call.operation, call.input, destination.family);
    return line !== undefined && visibilities.of(destination).isListed(line);
  };
}

/** Finds steps by the file of their playbook and by their id. */
function stepsBy(playbook: Playbook): (job: StepJob) => Step {
  const steps = new Map(
    usedBy(playbook).flatMap((used) =>
      stepsOf(used).map((step): [string, Step] => [`${used.file}\n${step.id}`, step]),
    ),
  );
  return ({ file, id, address }) => {
    const step = steps.get(`${file}\n${id}`);
    if (step === undefined) throw new InternalError(`${address} is not a step of ${file}`);
    return step;
  };
}

/** Tells whether anything of a playbook uses the response of a step. */
function usesBy(playbook: Playbook): (job: StepJob) => boolean {
  const playbooks = new Map(usedBy(playbook).map((used) => [used.file, used]));
  const known = new Map<string, StepUses>();
  return ({ file, id }) => {
    const used = playbooks.get(file);
    return used === undefined || usesFor(used, known).has(id);
  };
}
