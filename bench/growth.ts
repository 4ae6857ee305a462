/**
 * Whether time and memory grow faster than what they are spent on: each command as a whole process
 * on more and more of one thing. What it costs above a single one may grow with an exponent of at most
 * 1.1: with ten times as many, 12.6 times as much. Ends with 1 and names what grows faster.
 *
 *   npm run build && npx tsx bench/growth.ts [NAME…] [--rounds 3] [--most SIZE]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { growthMax, isTooMuch, stepsOf, type Point, type Step } from './growth/curve.ts';
import type { Subject } from './growth/subject.ts';
import { subjects } from './growth/subjects.ts';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    most: { type: 'string', default: 'Infinity' },
  },
  allowPositionals: true,
});
const chosen = subjects.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
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
  for (const step of steps.filter(isTooMuch)) {
    failures.push(
      `${subject.name}: ${step.from} to ${step.to} ${subject.unit}: ${exponents(step)}, at most ${growthMax}`,
    );
  }
}
for (const failure of failures) console.log(`GROWS  ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The least of some rounds: whatever else the machine does only adds to it. */
async function measured({ sizes, prepare }: Subject): Promise<readonly Point[]> {
  const points: Point[] = [];
  for (const size of sizes.filter((each) => each <= Number(values.most))) {
    const folder = mkdtempSync(join(tmpdir(), 'deskhand-growth-'));
    try {
      const measure = await prepare(size, folder);
      let least = { cpu: Infinity, peak: Infinity };
      for (let round = 0; round < Number(values.rounds); round++) {
        const { cpu, peak } = await measure();
        least = { cpu: Math.min(least.cpu, cpu), peak: Math.min(least.peak, peak) };
      }
      points.push({ size, ...least });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return points;
}

function exponents({ cpu, peak }: Step): string {
  const words = (exponent: number | undefined): string =>
    exponent?.toFixed(2) ?? 'too little to tell';
  return `exponent of CPU ${words(cpu)}, of memory ${words(peak)}`;
}
