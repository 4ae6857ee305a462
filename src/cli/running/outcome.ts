/** How a run ended, told in every way that was asked for. */
import { join } from 'node:path';
import type { ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { writeDocument } from '../../export/document.ts';
import { makeFolder } from '../../journal/file.ts';
import { runMarkdown } from '../../report/markdown/run.ts';
import { runReport } from '../../report/page/page.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { resultObject } from '../screens/json.ts';
import { summaryLines } from '../screens/summary.ts';
import { programName } from '../version.ts';
import { appendToPage, writeJson } from './papers.ts';
import { perform, runFormats, type Ended, type RunningJob } from './perform.ts';

/** Runs, then prints the outcome and writes the papers. @throws GuardError, LockedError, DiskError */
export async function performAndTell(
  job: RunningJob,
  given: Given,
  context: Context,
): Promise<ExitCode> {
  const ended = await perform(job, context);
  const reportDir = given.text('report');
  if (reportDir !== undefined) await writeReport(reportDir, ended, context);
  await writeJson(resultObject(ended.summary, ended.result), context);
  await appendToPage(runMarkdown(ended.entries), context);
  print(ended, context);
  return ended.exit;
}

function print({ entries, summary, result }: Ended, context: Context): void {
  const { out, err } = context.terminal;
  switch (outputOf(context, runFormats)) {
    case 'json':
      return out.line(JSON.stringify(resultObject(summary, result)));
    case 'markdown':
      return out.line(runMarkdown(entries).trimEnd());
    case 'ndjson':
      return; // the entries were printed as they came
    case 'text':
      if (!context.globals.isQuiet) err.line();
      out.line(summaryLines(summary, out.look).join('\n'));
  }
}

async function writeReport(
  folder: string,
  { entries, summary }: Ended,
  { terminal }: Context,
): Promise<void> {
  await makeFolder(folder);
  const text = runReport(entries, { program: programName });
  const { file } = await writeDocument({ workspace: folder, file: `${summary.run}.html`, text });
  terminal.err.line(`report ${plainText(join(folder, file))}`);
}
