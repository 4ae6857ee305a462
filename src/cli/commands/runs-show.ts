/** `runs show`: one run, derived from its journal. */
import { deviationsText } from '../../exchange/api/deviation.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText, spoken } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { readMark, type HighWater } from '../../engine/journal/high-water.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { requestsCommand, showCommand } from '../../report/next.ts';
import { onAccounts } from '../../report/accounts.ts';
import { entryNaming, type NamedEntry } from '../../report/named-entry.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import { repeatedWays } from '../../report/unfinished-runs.ts';
import { timeOf } from '../../report/words.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { printError } from '../exits.ts';
import { runNamed } from '../args/run-name.ts';
import { fetchRuns } from '../../app/store/synchronized.ts';
import { damageOf } from '../../app/running/damaged.ts';
import { laterRun } from '../../app/running/repeated.ts';
import { configOf } from '../../app/config/opened.ts';
import type { RunsShowOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import { damageLines } from '../screens/damaged.ts';
import { headerLine } from '../../report/terminal/header.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { stepText, widthsOf } from '../../report/terminal/step-text.ts';
import { summaryLines } from '../../report/terminal/summary.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'ndjson']);
  const config = await configOf(context);
  const { stateDir } = config;
  const runId = await runNamed(stateDir, args.positionals[0] ?? '', (id) =>
    fetchRuns(config, context, id),
  );
  let entries: readonly Entry[];
  try {
    entries = await readRun(stateDir, runId);
  } catch (error) {
    if (error instanceof JournalError) return showDamage(error, runId, stateDir, context);
    throw error;
  }
  printMissing(entries, await readMark(stateDir, runId), context);
  const named = entries.map(entryNaming());
  switch (format) {
    case 'ndjson':
      for (const entry of named) out.json({ version: 1, ...entry });
      break;
    case 'json':
      out.json({ version: 1, entries: named } satisfies RunsShowOutput);
      break;
    case 'text': {
      const lines = args.isOn('requests')
        ? requestLines(named, out.theme)
        : linesOf(entries, await laterRun(stateDir, entries), out.theme);
      out.line(lines.join('\n'));
    }
  }
  return exits.done;
}

/** Shows the readable rest of a damaged record, after the error. */
async function showDamage(
  error: JournalError,
  runId: string,
  stateDir: string,
  context: Context,
): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const damage = await damageOf(stateDir, runId, error);
  const { exit } = printError(error, context);
  if (outputOf(context, ['text', 'json', 'ndjson']) !== 'text') {
    out.json({ version: 1, damage, exit } satisfies RunsShowOutput);
  }
  err.line(damageLines(damage, err.theme).join('\n'));
  return exit;
}

/** Reports missing lines at the end of a completed journal, which may be lost without harm. */
function printMissing(
  entries: readonly Entry[],
  mark: HighWater | undefined,
  { terminal: { err } }: Context,
): void {
  const last = entries.at(-1)?.seq ?? 0;
  if (mark === undefined || mark.end <= last) return;
  const rest = `entries ${last + 1} to ${mark.end} were on the disk and are missing`;
  err.line(`${err.theme.sign('warn')} ${rest}; none of them is a write`);
}

function linesOf(entries: readonly Entry[], later: string | undefined, theme: Theme): string[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [neverBegan];
  const own = summaryOf(entries);
  const isRepeated = later !== undefined && own.setAside === undefined;
  const next = isRepeated ? repeatedWays(started.run, later) : besidesThis(own, started.run);
  const summary = { ...own, next };
  return [
    headerLine(started, theme),
    '',
    ...stepLines(summary, theme),
    '',
    ...summaryLines(summary, theme),
  ];
}

/** The commands to use next: its requests in place of the command that shows what is shown here. */
function besidesThis({ next }: Summary, run: string): Summary['next'] {
  const { why } = showCommand(run);
  return next.map((each) => (each.why === why ? requestsCommand(run) : each));
}

const neverBegan = 'the run ended before its first entry was written; nothing was sent';

function stepLines({ steps }: Summary, theme: Theme): string[] {
  const widths = widthsOf(steps);
  return steps.flatMap((step) => stepText(step, widths, theme));
}

/** The lines of every request: time, purpose and response. */
function requestLines(entries: readonly NamedEntry[], theme: Theme): string[] {
  const place = (entry: Extract<NamedEntry, { address: string }>): string =>
    `${plainText(entry.address, 80)}${onAccounts([entry])}`;
  const rows = entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'intended':
        return [
          [
            timeOf(entry.at),
            'sent',
            entry.operation,
            place(entry),
            plainText(JSON.stringify(entry.input)),
          ],
        ];
      case 'answered': {
        const { at, operation, status, code, ms, attempt, count = 1 } = entry;
        const which = count === 1 ? `attempt ${attempt}` : `${count} identical responses`;
        const words = `${status} ${plainText(code, 20)} after ${spoken(ms)}, ${which}`;
        const odd = entry.deviations ? `; ${deviationsText(entry.deviations)}` : '';
        return [[timeOf(at), 'answer', operation, place(entry), `${words}${odd}`]];
      }
      default:
        return [];
    }
  });
  return rows.length === 0 ? ['no request was made'] : columns(rows, theme, { indent: 0 });
}
