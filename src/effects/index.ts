/** The effects of a run, over its world. */
import { InternalError } from '../base/error.ts';
import { stepsOf } from '../playbook/expressions.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import { usedBy } from '../run/interpret.ts';
import type { RunJobs, StepJob, WriteJob } from '../run/jobs.ts';
import { unpackScope } from '../run/packed.ts';
import type { Item } from '../plan/items.ts';
import type { Outcome } from '../journal/entry.ts';
import { benches, type Bench, type World } from './bench.ts';
import { performers } from './built-in.ts';
import type { Effect, Effects } from './effect.ts';
import { perform } from './perform.ts';
import { readOnce } from './read.ts';
import { tidyExport, writeFile } from './write.ts';

export function effectsOf(world: World): Effects<RunJobs> {
  const benchFor = benches(world);
  const stepAt = stepsBy(world.playbook);
  const write = (repeat: Effect<WriteJob>['class']): Effect<WriteJob> => ({
    class: repeat,
    essence: ({ call: { operation, input, identity } }) => [operation, input, identity],
    does: (job, attempt) => perform(job, benchFor(job.account, attempt)),
  });
  const itemOf = ({ address, scope }: StepJob): Item => ({ address, scope: unpackScope(scope) });
  const step = (
    does: (step: Step, item: Item, bench: Bench) => Promise<Outcome>,
    repeat: Effect<StepJob>['class'] = 'read',
  ): Effect<StepJob> => ({
    class: repeat,
    essence: ({ file, id, scope }) => [file, id, scope],
    does: (job, attempt) =>
      does({ ...stepAt(job), path: job.path }, itemOf(job), benchFor(job.account, attempt)),
  });
  return {
    'exchange/read': step(readOnce),
    'exchange/export': {
      ...step(writeFile),
      tidy: (job, outcome, attempt) =>
        tidyExport(itemOf(job), outcome, benchFor(job.account, attempt)),
    },
    'exchange/set': write('set'),
    'exchange/keyed': write('keyed'),
    'exchange/once': write('once'),
    'report/table': step(performers['report/table']),
    'report/chart': step(performers['report/chart']),
    'report/page': { ...step(performers['report/page']), isFresh: true },
    'notify/webhook': step(performers['notify/webhook'], 'set'),
    'shell/run': step(performers['shell/run'], 'set'),
  };
}

/** Steps by the file of their playbook and their id there. */
function stepsBy(playbook: Playbook): (job: StepJob) => Step {
  const steps = new Map(
    usedBy(playbook).flatMap((used) =>
      stepsOf(used).map((step): [string, Step] => [`${used.file}\n${step.id}`, step]),
    ),
  );
  return ({ file, id, address }) => {
    const step = steps.get(`${file}\n${id}`);
    if (step === undefined) throw new InternalError(`${address} is no step of ${file}`);
    return step;
  };
}
