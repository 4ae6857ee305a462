/** `resume`: settles what is in doubt, then goes on from what the journal proves. */
import { ConfigError, exits, type ExitCode } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { profileNamed } from '../../config/load.ts';
import type { Destination, Entry } from '../../journal/entry.ts';
import { JournalError } from '../../journal/journal.ts';
import { replay } from '../../journal/replay.ts';
import { readRun } from '../../journal/runs.ts';
import { mayStillWrite } from '../../plan/left.ts';
import { stepsAsIn } from '../../playbook/only.ts';
import { approve } from '../approval/ask.ts';
import { refuseDeclinedSince } from '../approval/signed.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { changedSince, proved } from '../given/playbooks.ts';
import { performAndTell } from '../running/outcome.ts';
import { runFormats, stoppable } from '../running/perform.ts';
import { prepare } from '../running/planning.ts';
import { reportBack, storeOf, syncRun } from '../running/state.ts';
import { configOf, openWork } from '../running/work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal } = context;
  outputOf(context, runFormats);
  const runId = given.words[0] ?? '';
  const config = await configOf(context);
  const { stateDir } = config;
  await syncRun(runId, config, context);
  const entries = await readRun(stateDir, runId);
  const started = startOf(entries, runId);
  const store = await storeOf(config, context, started.destination);
  if (isFinished(entries)) {
    await reportBack(store, started, config, context);
    terminal.err.line(`${runId} is done; there is nothing to resume`);
    return exits.done;
  }
  await tellChanged(started, context);
  const playbook = stepsAsIn(proved(started.playbook, context), started);
  const profile = profileNamed(config, started.destination.profile);
  const session = await openWork(context, config, profile, { needsKey: true });
  return stoppable(context, async (interruption) => {
    try {
      refuseOther(started.destination, session.destination, runId);
      const prepared = await prepare(
        {
          playbook,
          given: inputsIn(started.inputs),
          session,
          stateDir,
          isOffline: false,
          earlier: entries,
          time: started.time,
          runId,
          ...(started.scheduledFor !== undefined && { scheduledFor: started.scheduledFor }),
          signal: interruption.drain,
        },
        context,
      );
      for (const then of started.accounts ?? []) {
        const other = await session.open(then.profile);
        refuseOther(then, other.destination, runId);
      }
      await refuseDeclinedSince(started, config, context);
      const { plan } = prepared;
      const word =
        given.text('approve') ?? (mayStillWrite(plan, replay(entries)) ? undefined : runId);
      const { drain: signal } = interruption;
      const { totals } = plan;
      await approve(
        { kind: 'run', id: runId, destination: session.destination, totals, signal },
        word,
        context,
      );
      const planId = started.plan === undefined ? {} : { planId: started.plan };
      const job = { prepared, session, stateDir, store, interruption, ...planId };
      return await performAndTell({ ...job, earlier: entries }, given, context);
    } finally {
      await session.close();
    }
  });
}

export type Started = Extract<Entry, { readonly kind: 'started' }>;

/** A run that was killed before its first entry has nothing to go on from. */
export function startOf(entries: readonly Entry[], runId: string): Started {
  const [started] = entries;
  if (started?.kind === 'started') return started;
  throw new JournalError(`run ${runId} ended before its first entry was written`);
}

/** A run keeps the playbook it began with; who edited the file should know that. */
async function tellChanged({ playbook, run: id }: Started, { terminal }: Context): Promise<void> {
  const file = await changedSince(playbook);
  if (file === undefined) return;
  const { err } = terminal;
  err.line(
    `${err.look.paint('warn', '!')} ${file} was changed since; ${id} goes on with the text it began with`,
  );
}

/** @throws ConfigError when the profile now leads to another account */
export function refuseOther(then: Destination, now: Destination, runId: string): void {
  const isSame =
    then.target === now.target &&
    then.host === now.host &&
    then.keyFingerprint === now.keyFingerprint;
  if (isSame) return;
  throw new ConfigError(
    `run ${runId} went to ${then.host}, key ${then.keyFingerprint ?? 'none'}; profile ${now.profile} now leads to ${now.host}, key ${now.keyFingerprint ?? 'none'}`,
    'give the profile its former address and key, then resume',
  );
}

/** The inputs a run began with, to be given again. */
export function inputsIn(inputs: Json): ReadonlyMap<string, Json> {
  const pairs = isRecord(inputs) ? Object.entries(inputs) : [];
  return new Map(pairs.map(([name, value]) => [name, plainJson(value)]));
}

function isFinished(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return last?.kind === 'finished' && last.status === 'done';
}
