/** Routes of a person's actions on a run: resume it, settle its doubts, stop it. Each is a command in
 * a separate process, with the checks of that command.
 */
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { moment } from '../../../report/words.ts';
import { begun, refusalOf } from '../actions/begin.ts';
import { holderOf } from '../actions/holder.ts';
import { launch } from '../actions/launch.ts';
import { offered, offeredFor } from '../actions/offered.ts';
import { commentOf, confirm, confirmed, once, printed, recorded } from '../actions/on-run.ts';
import { press } from '../actions/presses.ts';
import type { Starter } from '../actions/starters.ts';
import { queueChanged } from '../actions/queue-changed.ts';
import { stopWherever } from '../actions/stop-run.ts';
import { deskOf, type ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { waitingOf, type WaitingJob } from '../desk-queue.ts';
import { Refusal } from '../failure.ts';
import { exactRecord, reads, runParameters, writes } from '../route.ts';

const comment = optional(text({ description: 'Evidence', maxLength: 500 }));

export const runActions = reads({
  title: 'Show what can be done with a run now, and what each action would do',
  role: 'viewer',
  parameters: exactRecord(runParameters),
  answer: offered,
  handle: async ({ parameters }, server) => {
    const waiting = queuedIn(parameters, server);
    if (waiting !== undefined) return { doubts: [], waiting };
    const desk = deskOf(server, parameters.run, parameters.desk);
    const row = desk.runs.row(parameters.run);
    if (row === undefined || row.state === 'damaged' || row.state === 'not-begun') {
      return { doubts: [] };
    }
    const entries = await desk.entries(parameters.run);
    return offeredFor(row, entries, desk, server.actions.starters);
  },
});

/** The job of a run that no worker has begun: it has no journal. */
function queuedIn(
  { run, desk: name }: { readonly run: string; readonly desk?: string },
  { desks }: ServerContext,
): WaitingJob | undefined {
  if (desks.some((desk) => desk.has(run))) return undefined;
  const jobs = desks
    .filter((desk) => name === undefined || desk.name === name)
    .flatMap(({ queue }) => queue?.jobs() ?? []);
  const job = jobs.find((each) => each.job === run);
  return job && waitingOf(job);
}

export const resumeRun = writes({
  title: 'Resume a run in a separate process',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({ press, confirm, isQueued: optional(truth) }),
  answer: record({
    run: text(),
    state: choice(['running', 'ended', 'starting', 'queued']),
  }),
  audited: ({ parameters: { run }, body }) =>
    `resume ${run}${body.isQueued === true ? ' on a worker' : ''}`,
  handle: async ({ parameters, body, session }, server) => {
    const { desk, run, isReal } = await confirmed(parameters, body.confirm, server);
    const { stateDir } = desk.config;
    const isQueued = body.isQueued === true;
    return once(server, desk, body.press, session, `resume ${run}`, async (log, who) => {
      await refuseHeld(desk, run, server);
      const { starters } = server.actions;
      const other = starters.current(stateDir, run); // before it has the lock
      if (other !== undefined) throw heldBy(run, `process ${other.pid} of this server`, other);
      const approve = isReal ? ['--approve', run] : [];
      const how = isQueued ? ['--queue'] : ['-o', 'json', ...approve];
      const launched = launch(server.actions.program, desk, ['resume', ...how, '--', run], log);
      const { pid } = launched;
      starters.add(stateDir, run, { who, at: server.clock.now(), pid }, launched.ended);
      if (isQueued) {
        const ended = await launched.ended;
        if (ended.code !== 0) throw refusalOf(ended);
        await queueChanged(desk, server);
        return { run, state: 'queued' as const };
      }
      try {
        const { state } = await begun(launched, stateDir, run);
        return { run, state };
      } catch (error) {
        if (error instanceof Refusal && error.code === 'locked')
          await refuseHeld(desk, run, server);
        throw error;
      }
    });
  },
});

export const resolveDoubt = writes({
  title: 'Record the outcome of a write in doubt',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({
    press,
    confirm,
    comment,
    address: text({ maxLength: 200 }),
    outcome: choice(['placed', 'absent', 'abandon']),
    id: optional(text({ description: 'Of a placed order or sub-account', maxLength: 40 })),
  }),
  answer: recorded,
  audited: ({ parameters: { run }, body: { address, outcome, id = '', comment: said = '' } }) =>
    `resolve ${run} ${address} --${outcome} ${id} ${said}`.trim(),
  handle: async ({ parameters, body, session }, server) => {
    const { desk, run } = await confirmed(parameters, body.confirm, server);
    const { address, outcome, id = '' } = body;
    const said = outcome === 'placed' ? [`--placed=${id}`] : [`--${outcome}`];
    return once(server, desk, body.press, session, `resolve ${run} ${address}`, (log, who) =>
      printed(
        server,
        desk,
        ['resolve', ...said, ...commentOf(who, body.comment, server), '--', run, address],
        log,
      ),
    );
  },
});

export const lookUpDoubts = writes({
  title: 'Look up all doubts of a run on the exchange, and record nothing',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({ press }),
  answer: recorded,
  audited: ({ parameters: { run } }) => `look up the doubts of ${run}`,
  handle: ({ parameters, body, session }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const { run } = parameters;
    return once(server, desk, body.press, session, `look up ${run}`, (log) =>
      printed(server, desk, ['resolve', '--from-exchange', '--dry-run', '--', run], log),
    );
  },
});

export const settleDoubts = writes({
  title: 'Look up all doubts of a run, and record what the exchange proves',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({ press, confirm, comment }),
  answer: recorded,
  audited: ({ parameters: { run } }) => `settle the doubts of ${run} from the exchange`,
  handle: async ({ parameters, body, session }, server) => {
    const { desk, run } = await confirmed(parameters, body.confirm, server);
    return once(server, desk, body.press, session, `settle ${run}`, (log, who) =>
      printed(
        server,
        desk,
        ['resolve', '--from-exchange', '--yes', ...commentOf(who, body.comment, server), '--', run],
        log,
      ),
    );
  },
});

export const stop = writes({
  title: 'Stop a run: nothing new is sent, and responses are awaited',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({ press }),
  answer: record({ isStopping: truth, lines: list(text()) }),
  audited: ({ parameters: { run } }) => `stop ${run}`,
  handle: ({ parameters, body, session }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const { run } = parameters;
    return once(server, desk, body.press, session, `stop ${run}`, async (_log, who) => {
      const lines = await stopWherever(desk, run, who);
      await queueChanged(desk, server);
      return { isStopping: true, lines };
    });
  },
});

/** Refuses a run that another process executes. @throws Refusal that names the process */
async function refuseHeld(
  { config: { stateDir } }: Desk,
  run: string,
  { actions: { starters } }: ServerContext,
): Promise<void> {
  const holder = await holderOf(stateDir, run);
  if (holder === undefined || holder.life !== 'alive') return; // the command says what to do
  const who = `process ${holder.pid} on ${holder.host}`;
  throw heldBy(run, who, starters.of(stateDir, run, holder.pid));
}

function heldBy(run: string, who: string, by: Starter | undefined): Refusal {
  const since = by && `, started by ${by.who} at ${moment(by.at)} UTC`;
  return new Refusal(
    409,
    'locked',
    `${run} is being executed by ${who}${since ?? ''}`,
    'wait for it to end, or stop it',
  );
}
