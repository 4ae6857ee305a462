/**
 * A million random commands against the sandbox's engine: placing, cancelling, prices, funding,
 * liquidation, delivery, leverage, modes. Every so often, and at each history's end, all invariants
 * are looked at (money is conserved to the unit), and a copy made from a snapshot must be the same.
 *
 *   npx tsx bench/histories.ts [--commands 1000000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import process from 'node:process';
import fc from 'fast-check';
import { restoreEngine } from '../src/sandbox/engine/create.ts';
import { begun, timed } from '../test/sandbox/engine/commands.ts';
import { start } from '../test/sandbox/engine/support.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const [wanted, seed] = [Number(values.commands), Number(values.seed)];
const perHistory = 20_000;
const perLook = 1_000;

const before = process.cpuUsage();
const counted = { commands: 0, refused: 0, trades: 0, looks: 0 };
const broken: string[] = [];
for (let history = 0; counted.commands < wanted; history++) {
  const engine = begun();
  let now = start;
  for (let look = 0; look < perHistory / perLook; look++) {
    for (const { command, after } of fc.sample(timed, {
      numRuns: perLook,
      seed: seed * 1_000_003 + history * 1_009 + look,
    })) {
      now += after;
      const { reply, events } = engine.apply(command, now);
      counted.commands += 1;
      counted.refused += reply.kind === 'refused' ? 1 : 0;
      counted.trades += events.filter(({ kind }) => kind === 'trade').length;
    }
    counted.looks += 1;
    const wrong = engine.invariants();
    if (wrong.length > 0) broken.push(`history ${history}: ${JSON.stringify(wrong[0])}`);
  }
  const again = restoreEngine(JSON.parse(JSON.stringify(engine.snapshot())));
  if (again.hash() !== engine.hash()) broken.push(`history ${history}: its copy is another`);
}
const { user, system } = process.cpuUsage(before);
console.log(
  `${counted.commands} commands (seed ${seed}), ${counted.refused} refused, ${counted.trades} trades, ` +
    `${counted.looks} looks at all invariants: ${broken.length} broken, ${((user + system) / 1e6).toFixed(0)} s of CPU`,
);
for (const line of broken.slice(0, 10)) console.log(`  ${line}`);
process.exitCode = broken.length === 0 ? 0 : 1;
