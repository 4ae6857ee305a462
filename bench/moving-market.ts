/**
 * Plans priced from a market that walks at random before they are run: within `move` each is sent exactly
 * as it was shown, beyond it is refused with what moved.
 *
 *   npx tsx bench/moving-market.ts [--seeds 1000] [--from 1]
 */
import './processes/scratch.ts';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { walked } from '../test/support/moving-market.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
  },
});

const first = Number(values.from);
let within = 0;
let beyond = 0;
const broken: string[] = [];
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const { isWithin, wrong } = await walked(seed);
  if (isWithin) within += 1;
  else beyond += 1;
  broken.push(...wrong.map((words) => `seed ${seed}: ${words}`));
}
console.log(`${within} plans within their move, ${beyond} beyond: ${broken.length} wrong`);
for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
process.exitCode = broken.length === 0 ? 0 : 1;
