/** A journal with a part missing: every command reports it, and nothing is bought twice. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { run as drift } from '../../src/cli/commands/drift.ts';
import { run as plan } from '../../src/cli/commands/plan.ts';
import { run as resume } from '../../src/cli/commands/resume.ts';
import { run as execute } from '../../src/cli/commands/run.ts';
import { run as list } from '../../src/cli/commands/runs-list.ts';
import { run as replay } from '../../src/cli/commands/runs-replay.ts';
import { run as show } from '../../src/cli/commands/runs-show.ts';
import { run as verify } from '../../src/cli/commands/runs-verify.ts';
import type { Run } from '../../src/cli/context.ts';
import { reportError } from '../../src/cli/exits.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { limitOrder } from '../support/order.ts';
import { contextAt, givenOf, type Words } from './at.ts';
import { keptFolder } from './deskhand.ts';

const order = `playbook: 1
name: bid
steps:
  - id: bid
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '40000', size: '0.010' })}
`;

interface Place {
  readonly folder: string;
  readonly state: string;
  readonly run: string;
  readonly journal: string;
  /** The state folder as the run left it. */
  readonly saved: string;
}

let place: Place;

/** What an error message names. */
const named = /journal\.ndjson|the folder of run r-/;

/** Executes one command as a process would; errors are printed the same way. */
async function outcomeOf(verb: Run, words: Words): Promise<{ code: number; said: string }> {
  const result = contextAt('2026-09-21T14:13:20Z', place, words.output);
  const context = { ...result.context, clock: systemClock };
  const code = await verb(context, givenOf(words)).catch((error: unknown) =>
    reportError(error, context),
  );
  return { code, said: result.out() + result.err() };
}

/** Orders on the exchange, by any name: it accepts duplicate clientOids. */
async function orders(): Promise<number> {
  const stateFile = join(place.state, 'sandbox', 'world.ndjson');
  const sandbox = await openSandbox({ clock: systemClock, stateFile });
  try {
    const { uid } = sandbox.accounts.hedge ?? { uid: '' };
    const found = JSON.stringify(sandbox.control('GET', 'orders', { uid }));
    return found.split('"price":"40000').length - 1;
  } finally {
    await sandbox.close();
  }
}

beforeAll(async () => {
  const folder = keptFolder({ 'bid.yaml': order });
  const state = join(folder, 'state');
  place = { folder, state, run: '', journal: '', saved: join(folder, 'saved') };
  const sandbox = await openSandbox({
    clock: systemClock,
    stateFile: join(state, 'sandbox', 'world.ndjson'),
  });
  sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  await sandbox.close();
  const saved = join(folder, 'plan.json');
  await outcomeOf(plan, { words: [join(folder, 'bid.yaml')], flags: { out: saved } });
  expect(await outcomeOf(execute, { words: [saved] })).toMatchObject({ code: 0 });
  const [run = ''] = readdirSync(join(state, 'runs'));
  place = { ...place, run, journal: join(state, 'runs', run, 'journal.ndjson') };
  cpSync(state, place.saved, { recursive: true });
  expect(await orders()).toBe(1);
  return () => rmSync(folder, { recursive: true, force: true });
});

/** Everything as the run left it, except its journal. */
function restore(text?: string | Buffer): void {
  rmSync(place.state, { recursive: true, force: true });
  cpSync(place.saved, place.state, { recursive: true });
  if (text === undefined) rmSync(place.journal);
  else writeFileSync(place.journal, text);
}

const whole = (): string =>
  readFileSync(join(place.saved, 'runs', place.run, 'journal.ndjson'), 'utf8');

/** Cuts at the start and end of each line, and one byte before and after. */
function cuts(): number[] {
  const ends = [...whole().matchAll(/\n/g)].map(({ index }) => index);
  const places = [0, 1, 9, ...ends.flatMap((end) => [end - 1, end, end + 1, end + 2, end + 90])];
  return [...new Set(places)].filter((at) => at < whole().length).sort((a, b) => a - b);
}

async function expectOneOrder(what: string): Promise<void> {
  const { run, folder } = place;
  const shown = await outcomeOf(show, { words: [run] });
  expect(shown.said, what).not.toMatch(/nothing was sent|ended before its first entry/);
  if (shown.code !== 0) {
    expect(shown, what).toMatchObject({ code: 1, said: expect.stringMatching(named) });
    expect(shown.said, what).toMatch(/deskhand call order\/list-open category=USDT-FUTURES/);
    expect(shown.said, what).toMatch(/deskhand runs set-aside r-/);
    expect(shown.said, what).toMatch(/40000/); // of the readable lines, or of its plan
    for (const verb of [list, verify, replay, resume]) {
      expect(await outcomeOf(verb, { words: [run] }), what).toMatchObject({ code: 1 });
    }
  } else {
    expect(shown.said, what).toMatch(/1 of 1|in doubt|unfinished/i);
    expect((await outcomeOf(resume, { words: [run] })).code, what).toBe(0);
  }
  const again = await outcomeOf(execute, { words: [join(folder, 'plan.json')] });
  expect([1, 5], `${what}: ${again.said}`).toContain(again.code);
  await outcomeOf(execute, { words: [join(folder, 'bid.yaml')] });
  expect(await orders(), what).toBe(1);
}

describe('a journal of a run whose order exists', () => {
  test('truncated at its end, at every line and byte around it', async () => {
    for (const at of cuts()) {
      restore(whole().slice(0, at));
      await expectOneOrder(`cut to ${at}`);
    }
  });

  test('truncated at its start, at every line and byte around it', async () => {
    for (const at of cuts().slice(1)) {
      restore(whole().slice(at));
      await expectOneOrder(`without its first ${at}`);
    }
  });

  test('with a line removed or a byte changed', async () => {
    const lines = whole().split('\n').slice(0, -1);
    for (const [at, line] of lines.entries()) {
      restore(`${lines.toSpliced(at, 1).join('\n')}\n`);
      await expectOneOrder(`without line ${at + 1}`);
      const middle = Math.floor(line.length / 2);
      const changed = `${line.slice(0, middle)}~${line.slice(middle + 1)}`;
      restore(`${lines.with(at, changed).join('\n')}\n`);
      await expectOneOrder(`line ${at + 1} changed`);
    }
  });

  test('removed, or filled with zeros', async () => {
    restore();
    await expectOneOrder('no journal');
    restore(Buffer.alloc(whole().length));
    await expectOneOrder('zeros');
    restore(whole());
    rmSync(join(place.state, 'runs', place.run), { recursive: true });
    await expectOneOrder('no folder');
  });

  test('is searched by drift, which reports that the record is incomplete', async () => {
    restore('');
    const result = await outcomeOf(drift, { words: [join(place.folder, 'bid.yaml')] });
    expect(result.code).toBe(1);
    expect(result.said).toMatch(/not recorded .*40000/s);
    expect(result.said).toMatch(/damaged .*journal\.ndjson:1 is damaged/);
  });
});
