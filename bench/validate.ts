/** Checking playbooks of 250 and 1,000 steps: linear time makes the second four times the first. */
import { loadPlaybook } from '../src/playbook/load.ts';

const sizes = [250, 1_000] as const;
const rounds = 15;

/** Steps of the kind a desk writes, each needing the one before. */
function playbookOf(steps: number): string {
  const written = Array.from(
    { length: steps },
    (_, place) => `  - id: s${place}
    uses: futures/place-order
    needs: [${place === 0 ? '' : `s${place - 1}`}]
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      size: "{{ inputs.size }}", side: buy, orderType: limit, price: "{{ mul inputs.mark 0.98 }}" }
`,
  );
  return `playbook: 1
name: bench
inputs: { size: { type: decimal, default: 0.01 }, mark: { type: decimal, default: 61500.0 } }
steps:
${written.join('')}`;
}

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
