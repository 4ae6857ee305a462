/** A prepared run from its lock to its summary. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { ExitCode } from '../base/error.ts';
import type { Session } from '../config/session.ts';
import { writeDocument } from '../export/document.ts';
import type { Entry } from '../journal/entry.ts';
import { makeFolder } from '../journal/file.ts';
import type { Journal } from '../journal/journal.ts';
import { lockAccount, type AccountLock } from '../journal/lock.ts';
import { createRun } from '../journal/runs.ts';
import { runReport } from '../report/page/page.ts';
import { summaryOf, type Summary } from '../report/summary.ts';
import { run, type RunResult } from '../run/run.ts';
import { refuseBroken } from './approval.ts';
import { outputOf, type Context } from './context.ts';
import { interruption, type Interruption } from './interrupt.ts';
import type { Prepared } from './planning.ts';
import { entriesScreen, resultObject } from './screens/json.ts';
import { linesScreen } from './screens/lines.ts';
import { silentScreen } from './screens/silent.ts';
import type { Screen } from './screens/screen.ts';
import { summaryLines } from './screens/summary.ts';
import { programName } from './version.ts';

export interface RunningJob {
  readonly prepared: Prepared;
  readonly session: Session;
  readonly stateDir: string;
  /** The saved plan that is run. */
  readonly planId?: string;
  /** The journal and entries of the run that is resumed. */
  readonly resumed?: { readonly journal: Journal; readonly entries: readonly Entry[] };
  /** Folder for the report page, when one was asked for. */
  readonly reportDir?: string;
  readonly interruption: Interruption;
}

export interface Ended {
  readonly result: RunResult;
  readonly summary: Summary;
  readonly entries: readonly Entry[];
  readonly exit: ExitCode;
}

/** Runs and shows it; the summary is left to the caller. @throws GuardError, LockedError, DiskError */
export async function perform(job: RunningJob, context: Context): Promise<Ended> {
  const { prepared, session, interruption: stopping } = job;
  refuseBroken(prepared.plan);
  const lock = await lockFor(job);
  const journal = job.resumed?.journal ?? (await journalFor(job, context));
  const screen = await screenFor(context);
  const entries: Entry[] = [...(job.resumed?.entries ?? [])];
  screen.recall(entries);
  try {
    const { destination, exchange, profile } = session;
    const { playbook, inputs, plan, guards, ledger, runId } = prepared;
    const result = await run({
      playbook,
      inputs,
      runId,
      destination,
      exchange,
      journal,
      earlier: job.resumed?.entries ?? [],
      ledger,
      clock: context.clock,
      time: plan.observedAt,
      ...(job.planId !== undefined && { plan: job.planId }),
      onDoubt: profile.onDoubt,
      guards,
      marks: plan.marks,
      workspace: process.cwd(),
      program: programName,
      page: (told) => runReport(told, { program: programName }),
      secret: (name) => session.secret(name),
      drain: stopping.drain,
      halt: stopping.halt,
      onEntry: (entry) => {
        entries.push(entry);
        screen.show(entry);
      },
    });
    const exit = result.status === 'interrupted' ? (stopping.exit() ?? result.exit) : result.exit;
    return { result, summary: summaryOf(entries), entries, exit };
  } finally {
    await screen.close();
    await journal.close();
    await lock?.release();
  }
}

/** Runs, prints the five answers, writes the report and the JSON result where they were asked for. */
export async function performAndTell(job: RunningJob, context: Context): Promise<ExitCode> {
  const { terminal, globals } = context;
  const format = outputOf(context, ['text', 'json', 'ndjson']);
  const { summary, result, entries, exit } = await perform(job, context);
  const object = resultObject(summary, result);
  if (job.reportDir !== undefined) await writeReport(job.reportDir, summary.run, entries, context);
  if (globals.jsonInto !== undefined) {
    await writeFile(globals.jsonInto, `${JSON.stringify(object, undefined, 2)}\n`);
  }
  if (format === 'json') terminal.out.line(JSON.stringify(object));
  if (format === 'text') {
    if (!globals.isQuiet) terminal.err.line();
    terminal.out.line(summaryLines(summary, terminal.out.look).join('\n'));
  }
  return exit;
}

/** Opens what a run needs to be stopped well, and closes it whatever happens. */
export async function stoppable<T>(
  { terminal, clock }: Context,
  work: (stopping: Interruption) => Promise<T>,
): Promise<T> {
  const stopping = interruption(terminal, clock);
  try {
    return await work(stopping);
  } finally {
    stopping.close();
  }
}

/** A run that only reads needs no lock. */
async function lockFor({
  prepared,
  session,
  stateDir,
}: RunningJob): Promise<AccountLock | undefined> {
  const writes = prepared.plan.steps.some(({ effect }) => effect !== 'read' && effect !== 'local');
  if (!writes) return undefined;
  return lockAccount(stateDir, session.destination, prepared.runId);
}

function journalFor(
  { prepared, session, stateDir }: RunningJob,
  { clock }: Context,
): Promise<Journal> {
  return createRun(
    stateDir,
    {
      run: prepared.runId,
      playbook: prepared.playbook.name,
      destination: session.destination,
      createdAt: clock.now(),
      program: programName,
    },
    clock,
  );
}

async function screenFor(context: Context): Promise<Screen> {
  const { terminal, globals, clock } = context;
  const { err, out } = terminal;
  switch (outputOf(context, ['text', 'json', 'ndjson'])) {
    case 'ndjson':
      return entriesScreen(out);
    case 'json':
    case 'text':
      if (globals.isQuiet) return silentScreen;
      if (err.look.isLive && !globals.isVerbose) {
        const { listScreen } = await import('./screens/list.ts');
        return listScreen(err, clock);
      }
      return linesScreen(err, {
        clock,
        isVerbose: globals.isVerbose,
        isGithub: terminal.env['GITHUB_ACTIONS'] === 'true',
      });
  }
}

async function writeReport(
  folder: string,
  runId: string,
  entries: readonly Entry[],
  { terminal }: Context,
): Promise<void> {
  await makeFolder(folder);
  const text = runReport(entries, { program: programName });
  const { file } = await writeDocument({ workspace: folder, file: `${runId}.html`, text });
  terminal.err.line(`report ${join(folder, file)}`);
}
