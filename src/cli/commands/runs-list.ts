/** `runs list`: the runs made here, newest first. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { JournalError } from '../../journal/journal.ts';
import {
  listRuns,
  readRun,
  unnamedRuns,
  type RunHeader,
  type UnnamedRun,
} from '../../journal/runs.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import { moment } from '../../report/words.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { tellShared } from '../running/state.ts';
import { configOf } from '../running/work.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';

const shownMax = 50; // newest runs; each costs reading its journal

export async function run(context: Context, _given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const { stateDir } = config;
  await tellShared(config, context);
  const headers = await listRuns(stateDir);
  const rows = await Promise.all(
    headers.slice(0, shownMax).map(async (header) => ({
      header,
      summary: await summaryIn(stateDir, header.run),
    })),
  );
  const unnamed = await unnamedRuns(stateDir);
  if (format === 'json') {
    out.line(JSON.stringify({ version: 1, runs: rows.map(dataOf), unnamed }));
  } else {
    if (rows.length > 0 || unnamed.length === 0) {
      out.line(textOf(rows, headers.length, out.look).join('\n'));
    }
    for (const one of unnamed) out.line(unnamedText(one, out.look));
  }
  return exits.done;
}

interface Row {
  readonly header: RunHeader;
  /** Absent when its journal is damaged or empty. */
  readonly summary: Summary | undefined;
}

async function summaryIn(stateDir: string, run: string): Promise<Summary | undefined> {
  try {
    const entries = await readRun(stateDir, run);
    return entries.length === 0 ? undefined : summaryOf(entries);
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}

function dataOf({ header, summary }: Row): object {
  const { run, playbook, destination, createdAt } = header;
  return { run, playbook, destination, createdAt, status: summary?.status ?? 'damaged' };
}

/** A folder that says not even of which playbook it is. */
function unnamedText({ run, because }: UnnamedRun, { paint }: Look): string {
  return `${paint('strong', plainText(run, 60))}  ${paint('bad', 'damaged')}  ${plainText(because)}`;
}

function textOf(rows: readonly Row[], all: number, look: Look): string[] {
  const { paint } = look;
  if (rows.length === 0) return ['no runs yet'];
  const tones = {
    done: 'good',
    stopped: 'bad',
    doubt: 'doubt',
    interrupted: 'warn',
    unfinished: 'warn',
    damaged: 'bad',
  } as const;
  const lines = rows.map(({ header, summary }) => {
    const status = summary?.status ?? 'damaged';
    const target = header.destination.target === 'live' ? paint('live', 'LIVE') : 'sandbox';
    return [
      paint('strong', plainText(header.run, 60)),
      paint(tones[status], status === 'doubt' ? 'in doubt' : status),
      `${moment(header.createdAt)}Z`,
      target,
      plainText(header.destination.profile, 40),
      plainText(header.playbook, 60),
      summary === undefined ? '' : count(summary.requests, 'request'),
    ];
  });
  const more = all > rows.length ? [`${look.glyphs.dots} ${all - rows.length} older`] : [];
  return [...columns(lines, look, { indent: 0 }), ...more];
}
