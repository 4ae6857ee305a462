/** `demo`: everything once, on the built-in exchange; a second time nothing is placed again. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { makeFolders } from '../../base/folder.ts';
import { count, spoken } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import { builtInProfile } from '../../config/profile.ts';
import { writeDocument } from '../../export/document.ts';
import { runReport } from '../../report/page/page.ts';
import { localStore } from '../../state/local.ts';
import type { Context, Given } from '../context.ts';
import { loadGiven } from '../given/playbooks.ts';
import { demoPlaybook } from '../init/demo-playbook.ts';
import { perform, stoppable, type Ended } from '../running/perform.ts';
import { prepare } from '../running/planning.ts';
import { configOf, openWork } from '../running/work.ts';
import { badge } from '../screens/badge.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';
import { summaryLines } from '../screens/summary.ts';
import { programName } from '../version.ts';

const folder = 'demo';
const file = `${folder}/playbook.yaml`;
const page = `${folder}/report.html`;

export async function run(context: Context, _given: Given): Promise<ExitCode> {
  const { out, err } = context.terminal;
  await writeOnce();
  err.line(
    `${badge('sandbox', err.look)} a built-in exchange, in this process   no account, no key, no network`,
  );
  err.line();
  const ended = await demonstrate(context);
  const { summary, exit, entries } = ended;
  if (exit !== exits.done) {
    out.line(summaryLines(summary, out.look).join('\n'));
    return exit;
  }
  const text = runReport(entries, { program: programName });
  await writeDocument({ workspace: process.cwd(), file: page, text });
  out.line();
  for (const line of [...outcome(ended, out.look), '', ...whereNext(out.look)]) out.line(line);
  return exit;
}

/** The file stays as its reader left it: a changed number is what the next run is about. */
async function writeOnce(): Promise<void> {
  await makeFolders(folder);
  if (!existsSync(file)) await writeFile(file, demoPlaybook);
}

async function demonstrate(context: Context): Promise<Ended> {
  const { stateDir } = await configOf(context);
  const playbook = await loadGiven(file, context);
  const profile = { ...builtInProfile };
  const config: Config = {
    stateDir,
    state: { store: 'local' },
    profiles: new Map([[profile.name, profile]]),
    initial: profile.name,
  };
  const session = await openWork(context, config, profile, { needsKey: true });
  return stoppable(context, async (interruption) => {
    try {
      const job = { playbook, given: new Map(), session, stateDir, isOffline: false };
      const prepared = await prepare({ ...job, signal: interruption.drain }, context);
      return await perform(
        { prepared, session, stateDir, store: localStore(stateDir), interruption },
        context,
      );
    } finally {
      await session.close();
    }
  });
}

function outcome({ summary, entries }: Ended, look: Look): string[] {
  const { paint, glyphs } = look;
  const steps = count(summary.steps.length, 'step');
  const done = `${paint('good', glyphs.done)} ${paint('strong', `Done in ${spoken(summary.tookMs)}`)}`;
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

/** Writes the ledger or the exchange already knew of. */
function foundIn(entries: Ended['entries']): number {
  return entries.filter(
    (entry) =>
      entry.kind === 'settled' &&
      entry.outcome.kind === 'done' &&
      entry.outcome.evidence !== 'answered',
  ).length;
}

function whereNext(look: Look): string[] {
  const { paint } = look;
  const lines = demoPlaybook.split('\n').length - 1;
  const rows = [
    ['Look', `open ${page}`, 'what happened, step by step'],
    ['', `${folder}/bills.csv, ${folder}/volume.csv`, 'the tables it wrote'],
    ['Read', file, `${lines} lines; change a number and run again`],
    ['Next', `npx deskhand plan ${file}`, 'what a second run would change'],
    ['', 'npx deskhand init', 'a repository with playbooks, schemas and editor help'],
  ];
  return columns(
    rows.map(([name = '', command = '', says = '']) => [
      paint('strong', name),
      paint('command', command),
      says,
    ]),
    look,
    { indent: 0 },
  );
}
