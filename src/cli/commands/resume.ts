/** `resume`: settles doubts, then continues from the journal. */
import { exits, type ExitCode } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { profileNamed, type Config } from '../../config/load.ts';
import type { Entry } from '../../journal/entry.ts';
import { JournalError } from '../../journal/error.ts';
import { replay } from '../../journal/replay.ts';
import { readToContinue } from '../../journal/runs.ts';
import { mayStillWrite } from '../../plan/left.ts';
import type { Plan } from '../../plan/plan.ts';
import { stepsAsIn } from '../../playbook/only.ts';
import { approve } from '../approval/ask.ts';
import { approvalsAgain } from '../approval/resumed.ts';
import { refuseDeclinedSince } from '../approval/signed.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { itemsMaxIn } from '../../plan/items.ts';
import { isQueued } from '../args/queued.ts';
import { changedSince, provedAgain } from '../args/playbooks.ts';
import { refuseOther } from '../session/accounts.ts';
import { syncFor, type Beginning } from '../session/beside.ts';
import { endImport } from '../session/adopting.ts';
import { ofBegunRun, type NoteRecord } from '../session/begun.ts';
import { executeAndReport, printEnd } from '../session/outcome.ts';
import { stoppable } from '../session/execute.ts';
import { runFormats } from '../session/screen.ts';
import { prepare } from '../session/planning.ts';
import { refuseMoved } from '../session/reviewed.ts';
import { reportBack, storeOf, syncOnlyRun, syncState } from '../session/state.ts';
import { configOf } from '../session/config.ts';
import { openWork } from '../session/work.ts';
import { noteLines } from '../screens/plan.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, runFormats);
  return ofBegunRun((note) => resumed(note, context, args));
}

async function resumed(note: NoteRecord, context: Context, args: Args): Promise<ExitCode> {
  const { terminal } = context;
  const runId = args.positionals[0] ?? '';
  const config = await configOf(context);
  const { stateDir } = config;
  await syncOnlyRun(runId, config, context);
  const entries = note(await readToContinue(stateDir, runId));
  const started = startOf(entries, runId);
  if (isQueued(args)) return queued(started, config, args, context);
  const store = await storeOf(config, context, started.destination);
  if (isFinished(entries)) {
    await reportBack(store, started, config, context);
    terminal.err.line(`${runId} is done; there is nothing to resume`);
    await printEnd(entries, context);
    return exits.done;
  }
  if (started.imported !== undefined) {
    await syncState(config, context, started.destination);
    const isRecorded = await endImport(started, store, config, context);
    const said = isRecorded
      ? 'is done: the import is recorded'
      : 'recorded nothing: import it again';
    terminal.err.line(`${runId} ${said}`);
    return isRecorded ? exits.done : exits.stopped;
  }
  await printChanged(started, context);
  const profile = profileNamed(config, started.destination.profile);
  const itemsMax = Math.max(profile.plans.items ?? 0, itemsMaxIn(entries));
  const playbook = stepsAsIn(provedAgain(started, itemsMax, context), started);
  const session = await openWork(context, config, profile, { needsKey: true });
  return stoppable(context, async (interruption) => {
    try {
      await syncFor(beginningOf(started), session, context);
      const book = await session.book();
      refuseOther(started.destination, session.destination, book, runId);
      const asBegun = {
        playbook,
        args: inputsIn(started.inputs),
        session,
        stateDir,
        isOffline: false,
        runId,
        ...(started.scheduledFor !== undefined && { scheduledFor: started.scheduledFor }),
        signal: interruption.drain,
      };
      const again = { ...asBegun, earlier: entries, time: started.time };
      const prepared = await prepare(again, context);
      for (const then of started.accounts ?? []) {
        const other = await session.open(then.profile);
        refuseOther(then, other.destination, book, runId);
      }
      await refuseDeclinedSince(started, config, context);
      const { plan } = prepared;
      const file = args.text('plan');
      const fits = (reviewed: Plan): Promise<void> => refuseMoved(reviewed, asBegun, context);
      const left = { started, entries, plan, file, refuseMoved: fits };
      await approvalsAgain(left, config, context);
      const { err } = context.terminal;
      if (!context.globals.isQuiet) for (const line of noteLines(plan, err.theme)) err.line(line);
      const word =
        args.text('approve') ?? (mayStillWrite(plan, replay(entries)) ? undefined : runId);
      const { drain: signal } = interruption;
      const { totals } = plan;
      await approve(
        { kind: 'run', id: runId, destination: session.destination, totals, signal },
        word,
        context,
      );
      const planId = started.plan === undefined ? {} : { planId: started.plan };
      const job = { prepared, session, stateDir, store, interruption, ...planId };
      return await executeAndReport({ ...job, earlier: entries }, args, context);
    } finally {
      await session.close();
    }
  });
}

function beginningOf({ run: id, playbook, destination, accounts = [] }: Started): Beginning {
  return { run: id, playbook: playbook.name, accounts: [destination, ...accounts] };
}

/** For any worker that has the keys of its accounts. */
async function queued(
  started: Started,
  config: Config,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const { queueRest } = await import('../worker/enqueue.ts');
  return queueRest(beginningOf(started), config, args, context);
}

export type Started = Extract<Entry, { readonly kind: 'started' }>;

/** A run that was killed before its first entry cannot be continued. */
export function startOf(entries: readonly Entry[], runId: string): Started {
  const [started] = entries;
  if (started?.kind === 'started') return started;
  throw new JournalError(
    `run ${runId} ended before its first entry was written`,
    undefined,
    'nothing was sent by it: run its playbook or its plan again',
  );
}

/** A run keeps its original playbook; an edited file is reported. */
async function printChanged({ playbook, run: id }: Started, { terminal }: Context): Promise<void> {
  const file = await changedSince(playbook);
  if (file === undefined) return;
  const { err } = terminal;
  err.line(
    `${err.theme.paint('warn', '!')} ${file} was changed since; ${id} continues with its original text`,
  );
}

/** The inputs a run started with. */
export function inputsIn(inputs: Json): ReadonlyMap<string, Json> {
  const pairs = isRecord(inputs) ? Object.entries(inputs) : [];
  return new Map(pairs.map(([name, value]) => [name, plainJson(value)]));
}

function isFinished(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return last?.kind === 'finished' && last.status === 'done';
}
