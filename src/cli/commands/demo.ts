/** `demo`: runs everything once on the built-in exchange; a second demo places nothing again. */
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { makeFolders } from '../../base/folder.ts';
import { count, spoken, shellWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { builtInProfile } from '../../app/config/profile.ts';
import { writeDocument } from '../../engine/export/document.ts';
import { runReport } from '../../report/page/page.ts';
import { localStore } from '../../stores/local.ts';
import type { Context, Args } from '../context.ts';
import { loadArguments } from '../args/playbook-argument.ts';
import { demoPlaybook } from '../init/demo-playbook.ts';
import { executeRun } from '../../app/running/execute.ts';
import type { ExecutedRun } from '../../app/running/running.ts';
import { prepare } from '../../app/planning/make-plan.ts';
import { configOf } from '../../app/config/opened.ts';
import { stoppableWork } from '../../app/accounts/work.ts';
import { badge } from '../../report/terminal/badge.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import type { Screen } from '../screens/screen.ts';
import { screenFor } from '../running/screen.ts';
import { summaryLines } from '../../report/terminal/summary.ts';
import { programName } from '../../base/version.ts';

const folder = 'demo';
const file = `${folder}/playbook.yaml`;
const page = `${folder}/report.html`;

export async function run(context: Context, _given: Args): Promise<ExitCode> {
  const { out, err } = context.terminal;
  await writeOnce();
  err.line(
    `${badge('sandbox', err.theme)} a built-in exchange, in this process   no account, no key, no network`,
  );
  err.line();
  const ended = await demonstrate(context);
  const { summary, exit, entries } = ended;
  if (exit !== exits.done) {
    out.line(summaryLines(summary, out.theme).join('\n'));
    return exit;
  }
  const text = runReport(entries, { program: programName });
  await writeDocument({ workspace: process.cwd(), file: page, text });
  out.line();
  for (const line of [...outcome(ended, out.theme), '', ...whereNext(out.theme)]) out.line(line);
  return exit;
}

/** Refuses a link in place of the folder: it may lead to another folder than the user expects. */
function refuseLink(path: string): void {
  if (kindAt(path) !== 'link') return;
  throw new UsageError(`${path} is a link, and demo does not write through links`, 'move it away');
}

/**
 * Writes the demo's playbook. An existing file is kept as edited: the next run uses a changed
 * number.
 */
async function writeOnce(): Promise<void> {
  refuseLink(folder);
  await makeFolders(folder);
  refuseLink(file);
  if (kindAt(file) === 'nothing') await writeFile(file, demoPlaybook, { flag: 'wx' });
}

async function demonstrate(context: Context): Promise<ExecutedRun> {
  const { stateDir } = await configOf(context);
  const profile = { ...builtInProfile };
  const config: Config = {
    stateDir,
    state: { store: 'local' },
    profiles: new Map([[profile.name, profile]]),
    initial: profile.name,
  };
  const playbook = await loadArguments(file, config, context);
  const opening = { needsKey: true };
  const observe = (drain: AbortSignal): Promise<Screen> => screenFor(drain, context);
  return stoppableWork(context, config, profile, opening, async (session, interruption) => {
    const job = { playbook, args: new Map(), session, isOffline: false };
    const prepared = await prepare({ ...job, signal: interruption.drain }, context);
    const running = { prepared, session, store: localStore(stateDir), interruption, observe };
    return executeRun(running, context);
  });
}

function outcome({ summary, entries }: ExecutedRun, theme: Theme): string[] {
  const { paint, sign } = theme;
  const steps = count(summary.steps.length, 'step');
  const done = `${sign('good')} ${paint('strong', `Done in ${spoken(summary.tookMs)}`)}`;
  const lines = [
    `${done}   ${steps}, ${count(summary.requests, 'request')}, all against the sandbox`,
  ];
  const found = foundIn(entries);
  if (found > 0) {
    lines.push(
      `  ${paint('strong', 'Nothing was placed twice')}: ${count(found, 'write')} of an earlier run ${found === 1 ? 'was' : 'were'} found again`,
    );
  }
  return lines;
}

/** The number of writes that the ledger or the exchange already knew. */
function foundIn(entries: ExecutedRun['entries']): number {
  return entries.filter(
    (entry) =>
      entry.kind === 'settled' &&
      entry.outcome.kind === 'done' &&
      entry.outcome.evidence !== 'answered',
  ).length;
}

function whereNext(theme: Theme): string[] {
  const { paint } = theme;
  const lines = demoPlaybook.split('\n').length - 1;
  const rows = [
    ['Look', `open ${page}`, 'what happened, step by step'],
    ['', `${folder}/bills.csv, ${folder}/volume.csv`, 'the tables it wrote'],
    ['Read', file, `${lines} lines; change a number and run again`],
    ['Next', `npx deskhand plan ${shellWord(file)}`, 'what a second run would change'],
    ['', 'npx deskhand init', 'a repository with playbooks, schemas and editor help'],
  ];
  return columns(
    rows.map(([name = '', command = '', description = '']) => [
      paint('strong', name),
      paint('command', command),
      description,
    ]),
    theme,
    { indent: 0 },
  );
}
