/**
 * Whether time and memory grow faster than what they are spent on: each command as a whole process
 * on more and more of one thing. What it costs above a single one may grow with an exponent of at most
 * 1.1: with ten times as many, 12.6 times as much. Ends with 1 and names what grows faster.
 *
 *   npm run build && npx tsx bench/growth.ts [NAME…] [--rounds 3] [--most SIZE] [--limit 1.1] [--part 1/6] [--keep]
 *
 * What grows too fast is measured again, up to so many rounds, since whatever else the machine does
 * only adds to the CPU. `--part` takes each so manieth command, and `--keep` stores the curves of
 * those that docs/platforms.md draws.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { growthMax, isTooMuch, stepsOf, type Cost, type Point, type Step } from './growth/curve.ts';
import { keepCurve } from './growth/kept-curves.ts';
import type { Subject } from './growth/subject.ts';
import { subjects } from './growth/subjects.ts';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    most: { type: 'string', default: 'Infinity' },
    limit: { type: 'string', default: String(growthMax) },
    part: { type: 'string', default: '1/1' },
    keep: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [turn = 1, turns = 1] = values.part.split('/').map(Number);
const chosen = subjects.filter(
  ({ name }, at) =>
    at % turns === turn - 1 && (positionals.length === 0 || positionals.includes(name)),
);
const limit = Number(values.limit);
const failures: string[] = [];
for (const subject of chosen) {
  const points = await measured(subject);
  const steps = stepsOf(points);
  console.log(`${subject.name}, CPU (user and system) and memory at the peak:`);
  for (const { size, cpu, peak } of points) {
    const step = steps.find(({ to }) => to === size);
    const growth = step === undefined ? '' : `  ${exponents(step)}`;
    const cost = `${cpu.toFixed(2).padStart(6)} s  ${peak.toFixed(0).padStart(5)} MB`;
    console.log(`  ${String(size).padStart(9)} ${subject.unit}  ${cost}${growth}`);
  }
  for (const step of steps.filter((each) => isTooMuch(each, limit))) {
    failures.push(
      `${subject.name}: ${step.from} to ${step.to} ${subject.unit}: ${exponents(step)}, at most ${limit}`,
    );
  }
  if (values.keep) keepCurve(subject, points);
}
for (const failure of failures) console.log(`GROWS  ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The least of the rounds that it takes to be sure. */
async function measured({ sizes, prepare }: Subject): Promise<readonly Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deskhand-growth-'));
  try {
    const measures: (readonly [size: number, measure: () => Promise<Cost>])[] = [];
    for (const size of sizes.filter((each) => each <= Number(values.most))) {
      measures.push([size, await prepare(size, folder)]);
    }
    let points: readonly Point[] = measures.map(([size]) => ({
      size,
      cpu: Infinity,
      peak: Infinity,
    }));
    for (let round = 0; round < Number(values.rounds); round++) {
      points = await again(points, measures);
      if (!stepsOf(points).some((step) => isTooMuch(step, limit))) break;
    }
    return points;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exponents({ cpu, peak }: Step): string {
  const words = (exponent: number | undefined): string =>
    exponent?.toFixed(2) ?? 'too little to tell';
  return `exponent of CPU ${words(cpu)}, of memory ${words(peak)}`;
}

async function again(
  points: readonly Point[],
  measures: readonly (readonly [size: number, measure: () => Promise<Cost>])[],
): Promise<readonly Point[]> {
  const next: Point[] = [];
  for (const [at, [size, measure]] of measures.entries()) {
    const { cpu, peak } = await measure();
    const least = points[at] ?? { cpu, peak };
    next.push({ size, cpu: Math.min(least.cpu, cpu), peak: Math.min(least.peak, peak) });
  }
  return next;
}
