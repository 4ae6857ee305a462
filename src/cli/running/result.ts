/** The result of a run, in every requested format. */
import { join } from 'node:path';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { writeDocument } from '../../engine/export/document.ts';
import { makeFolder } from '../../engine/journal/file.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { runMarkdown } from '../../report/markdown/run-comment.ts';
import { runReport } from '../../report/page/page.ts';
import { summaryOf } from '../../report/summary.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { printError } from '../exits.ts';
import { reportObject } from '../../app/running/report.ts';
import type { Screen } from '../screens/screen.ts';
import { summaryLines } from '../../report/terminal/summary.ts';
import { programName } from '../../base/version.ts';
import { appendToPage, writeJson } from './documents.ts';
import { executeRun } from '../../app/running/execute.ts';
import type { ExecutedRun, RunningJob } from '../../app/running/running.ts';
import { runFormats, screenFor } from './screen.ts';

/** A run that is shown while it is executed. */
export type RunToReport = Omit<RunningJob, 'observe'>;

/**
 * Executes a run, prints the outcome and writes the documents.
 * @throws GuardError, LockedError, DiskError
 */
export async function executeAndReport(
  job: RunToReport,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const observe = (drain: AbortSignal): Promise<Screen> => screenFor(drain, context);
  const ended = await executeRun({ ...job, observe }, context);
  printRun(ended, context);
  const failed = await writeDocuments(ended, args, context);
  return failed && ended.exit === exits.done ? exits.stopped : ended.exit;
}

/**
 * A document written after a run cannot change its outcome: the exit code is that of the run, or 1
 * for a failed write.
 */
async function writeDocuments(ended: ExecutedRun, args: Args, context: Context): Promise<boolean> {
  const reportDir = args.text('report');
  const documents = [
    async () => (reportDir === undefined ? undefined : writeReport(reportDir, ended, context)),
    () => writeJson(reportObject(ended.summary, ended.result), context),
    () => appendToPage(() => runMarkdown(ended.entries), context),
  ];
  let failed = false;
  for (const writeOne of documents) {
    try {
      await writeOne();
    } catch (error) {
      failed = true;
      printError(error, context);
    }
  }
  return failed;
}

export function printRun({ entries, summary, result }: ExecutedRun, context: Context): void {
  const { out, err } = context.terminal;
  switch (outputOf(context, runFormats)) {
    case 'json':
      return out.json(reportObject(summary, result));
    case 'markdown':
      return out.line(runMarkdown(entries).trimEnd());
    case 'ndjson':
      return; // the entries were already printed
    case 'text':
      if (!context.globals.isQuiet) err.line();
      out.line(summaryLines(summary, out.theme).join('\n'));
  }
}

/** Prints a completed run as the same object that its command printed. */
export async function printEnd(entries: readonly Entry[], context: Context): Promise<void> {
  const last = entries.at(-1);
  if (last?.kind !== 'finished') return;
  const result = reportObject(summaryOf(entries), last);
  if (outputOf(context, runFormats) === 'json') context.terminal.out.json(result);
  if (outputOf(context, runFormats) === 'markdown') {
    context.terminal.out.line(runMarkdown(entries).trimEnd());
  }
  await writeJson(result, context);
}

/** Writes the page of a run to a folder. */
export async function writeReport(
  folder: string,
  { entries, summary }: ExecutedRun,
  { terminal }: Context,
): Promise<void> {
  await makeFolder(folder);
  const text = runReport(entries, { program: programName });
  const { file } = await writeDocument({ workspace: folder, file: `${summary.run}.html`, text });
  terminal.err.line(`report ${plainText(join(folder, file))}`);
}
