/** Checking playbooks of 250 and 1,000 steps: linear time makes the second four times the first. */
import { loadPlaybook } from '../src/language/load.ts';
import { playbookOf } from './commands/files.ts';

const sizes = [250, 1_000] as const;
const rounds = 15;

/** Milliseconds of CPU, the middle of several rounds. */
function cost(text: string): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    if (loadPlaybook(text, 'bench.yaml').problems.length > 0) throw new Error('it has problems');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

const costs = sizes.map((steps) => cost(playbookOf(steps)));
const [small = 1, large = 0] = costs;
console.log(`${sizes[0]} steps: ${small.toFixed(0)} ms of CPU`);
console.log(
  `${sizes[1]} steps: ${large.toFixed(0)} ms of CPU, ${(large / small).toFixed(1)} × as much`,
);
