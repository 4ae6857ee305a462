/** Secrets said back by the exchange, in each way a careless server has. */
import { expect, test } from 'vitest';
import type { Place } from './place.ts';
import { loud, playAndSearch, verbsIn } from './search.ts';
import { manners } from './wire.ts';

const all = Object.entries(manners);
const half = Math.ceil(all.length / 2);

// Most of it waits for an order that may still appear: next to each other, they wait once.
test.concurrent.each([
  ['a call', [(place: Place) => callWith(all.slice(0, half), place)], ['call']],
  ['another call', [(place: Place) => callWith(all.slice(half), place)], ['call']],
  ['a run', [checkAndRun], ['doctor', 'run']],
  ['a write in doubt', [doubts], verbsIn.doubts],
] as const)(
  'no secret is written when the exchange repeats it: %s',
  async (_, parts, verbs) => {
    await playAndSearch(parts, verbs, { signatures: 10, written: 100 });
  },
  300_000,
);

const order = `call futures/place-order symbol=BTCUSDT productType=USDT-FUTURES marginMode=crossed
  marginCoin=USDT side=buy tradeSide=open orderType=limit price=20001 size=0.001`.split(/\s+/);

/** Every call to a server that says back what it was reported: a read, and a write that is in doubt. */
async function callWith(said: typeof all, { at, wire }: Place): Promise<void> {
  for (const [name, respond] of said) {
    wire.behave({ path: '/place-order', respond, times: 5 });
    const write = await at([...order, '--show-request', ...loud]);
    expect([name, write.code]).not.toEqual([name, 0]);
    wire.behave({ path: '/unfilled-orders', respond, times: 1 });
    await at(['call', 'order/list-open', 'category=USDT-FUTURES', '-o', 'json', ...loud]);
  }
  wire.behave();
}

/** A look at everything, and a whole run. */
async function checkAndRun({ at, wire }: Place): Promise<void> {
  for (const name of ['a refusal', 'a text'] as const) {
    wire.behave({ path: '/api/', respond: manners[name] });
    await at(['doctor', '-o', 'json', ...loud]);
    wire.behave({ path: '/api/', respond: manners[name], times: 3 });
    await at(['run', 'more.yaml', '--report', 'report', ...loud]);
  }
  wire.behave();
}

/** A write in doubt, resumed and resolved. */
async function doubts({ at, wire }: Place): Promise<void> {
  for (const name of ['a refusal', 'an unknown code', 'a text', 'names of fields'] as const) {
    wire.behave({ path: '/create-sub', respond: manners[name] });
    const ended = await at(['run', 'doubtful.yaml', '-o', 'json', ...loud]);
    const { run, exit } = JSON.parse(ended.stdout);
    expect([1, 4, 6]).toContain(exit); // refused, or in doubt
    wire.behave();
    await at(['resume', run, ...loud]);
    await at(['resolve', run, 'sub', '--abandon', '--comment', 'not there', ...loud]);
    await at(['runs', 'show', run, '--requests']);
    // The next run of the playbook waits for a person's word about this one.
    await at(['runs', 'set-aside', run, '--reason', 'not there', ...loud]);
  }
}
