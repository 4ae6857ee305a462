/**
 * Measures every row that has a peer or a limit, beside it, and prints the table; about twenty
 * minutes. The result is stored in bench/results/together.json with the date and the load of the
 * machine; with --check it is compared with the stored one: ends with 1 when a figure is more than
 * 15 % worse.
 *
 *   npm run build && npm ci --prefix test/peers && npx tsx bench/all.ts [JOB…] [--check]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { jobs, type Job, type Row } from './all/rows.ts';
import { measuredNow, type MeasuredAt } from './figures/measured-now.ts';

interface Figure {
  readonly what: string;
  readonly beside?: string;
  readonly measured: string;
  readonly goal: string;
}
interface Measured extends MeasuredAt {
  readonly job: string;
  readonly command: string;
  readonly figures: readonly Figure[];
}

const root = join(import.meta.dirname, '..');
const stored = join(root, 'bench', 'results', 'together.json');
const worseMax = 1.15;
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const kept = storedJobs();
const chosen = jobs.filter(
  ({ words }) => positionals.length === 0 || positionals.some((name) => words[0]?.includes(name)),
);
const results: Measured[] = [];
for (const job of chosen) {
  results.push(measured(job));
  if (!values.check) store(results); // what follows may fail
}
if (values.check) process.exitCode = results.flatMap(worse).length === 0 ? 0 : 1;

function measured(job: Job): Measured {
  const command = `npx tsx ${job.words.join(' ')}`;
  const { status, stdout } = spawnSync('npx', ['tsx', ...job.words], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}`);
  const figures = job.rows.map((row) => figureOf(row, stdout));
  for (const { what, beside, measured: figure, goal } of figures) {
    const other = beside === undefined ? '' : `, beside ${beside}`;
    console.log(`${figure.padStart(9)}  ${goal.padEnd(10)}  ${job.job}: ${what}${other}`);
  }
  const name = /([\w-]+)\.ts/.exec(command)?.[1] ?? '';
  const again = `npm run build && npx tsx bench/all.ts ${name}`;
  return { job: job.job, command: again, ...measuredNow(), figures };
}

function figureOf({ what, beside, line, unit, goal }: Row, printed: string): Figure {
  const [, number] = line.exec(printed) ?? [];
  if (number === undefined) throw new Error(`no line for ${what} (${line}) in:\n${printed}`);
  return { what, ...(beside && { beside }), measured: `${number} ${unit}`, goal };
}

/** Prints and returns the figures that are worse than the stored ones. */
function worse({ job, figures }: Measured): readonly Figure[] {
  const before = kept.find((each) => each.job === job)?.figures ?? [];
  return figures.filter(({ what, beside, measured: now }) => {
    const was = before.find((each) => each.what === what && each.beside === beside);
    const isWorse = was !== undefined && parseFloat(now) > worseMax * parseFloat(was.measured);
    if (isWorse) console.log(`WORSE  ${job}: ${what}: ${now}, stored ${was.measured}`);
    return isWorse;
  });
}

function store(made: readonly Measured[]): void {
  const area = {
    area: 'All in one run',
    method:
      'Each row beside its peer or its limit, in interleaved rounds of one run of `npx tsx bench/all.ts`, which stores these figures. `--check` measures again and fails when one is more than 15 % worse.',
    jobs: jobs.flatMap(
      ({ job }) =>
        made.find((each) => each.job === job) ?? kept.find((each) => each.job === job) ?? [],
    ),
  };
  writeFileSync(stored, `${JSON.stringify(area, null, 2)}\n`);
}

function storedJobs(): readonly Measured[] {
  try {
    const { jobs: known } = JSON.parse(readFileSync(stored, 'utf8')) as { jobs: Measured[] };
    return known;
  } catch {
    return []; // none was stored yet
  }
}
