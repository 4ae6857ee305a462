/** What is measured: commands on more and more of one thing. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { second, systemClock } from '../../src/base/clock.ts';
import { exits } from '../../src/base/error.ts';
import { deskhand } from '../processes/desk.ts';
import { command, envOf } from './command.ts';
import { forEachOf } from './engine.ts';
import { pieceSubjects } from './pieces.ts';
import type { Subject } from './subject.ts';
import { ladderText, onlyStart, recordRun, type OncePer } from './records.ts';

const eventsOfOrder = 3;

const inRun = (words: readonly string[]): Omit<Subject, 'name'> => ({
  unit: 'events',
  sizes: [30, 3_000, 30_000, 100_000],
  prepare: async (events, folder) => {
    const place = await placeWith(folder, 1, Math.ceil(events / eventsOfOrder));
    return () => command(place, words);
  },
});

const itemsMax = 100_000; // of a for-each, if its profile allows it
const itemSizes = [1, 100, 1_000, 10_000, itemsMax];

const forEach = (kind: 'read' | 'order'): Omit<Subject, 'name'> => ({
  unit: 'items',
  sizes: kind === 'read' ? itemSizes : itemSizes.slice(0, -1), // orders take minutes, in syncs
  prepare: (items, folder) => forEachOf(kind, items, folder),
});

const onItems = (words: readonly string[]): Omit<Subject, 'name'> => ({
  unit: 'items',
  sizes: itemSizes,
  prepare: async (items, folder) => {
    const place = placeOfItems(folder, items);
    return () => command(place, words);
  },
});

/** One step of so many orders that was recorded; a resume sends only the last one. */
const inRunOfItems = (words: readonly string[], isUnfinished?: true): Omit<Subject, 'name'> => ({
  unit: 'items',
  sizes: itemSizes,
  prepare: async (orders, folder) => {
    const place = placeOfItems(folder, 1);
    const model = firstRun(place);
    // A run after the one to be resumed would refuse the resume.
    for (const part of ['runs', 'high-water'])
      rmSync(join(place, 'state', part), { recursive: true });
    writeFileSync(join(place, 'ladder.yaml'), ladderText(orders, 'run', itemsMax));
    const at = model.at - 86_400_000;
    const recorded = { run: 'r-0', orders, at, itemsMax, ...(isUnfinished && { isUnfinished }) };
    await recordRun(join(place, 'state'), model, recorded);
    cpSync(join(place, 'state'), join(place, 'recorded'), { recursive: true });
    return async () => {
      rmSync(join(place, 'state'), { recursive: true });
      cpSync(join(place, 'recorded'), join(place, 'state'), { recursive: true });
      return command(place, words);
    };
  },
});

const inSchedules = (words: readonly string[]): Omit<Subject, 'name'> => ({
  unit: 'schedules',
  sizes: [1, 10, 100, 1_000],
  prepare: async (schedules, folder) => {
    const place = mkdtempSync(join(folder, 'place-'));
    for (let at = 0; at < schedules; at++) {
      const text = `playbook: 1
name: p${at}
schedule:
  - { cron: "${at % 60} ${at % 24} * * *", timezone: "+08:00", missed: once, overlap: skip }
steps:
  - { id: pause, uses: wait, with: { for: 1s } }
`;
      writeFileSync(join(place, `p${at}.yaml`), text);
    }
    const files = Array.from({ length: schedules }, (_none, at) => `p${at}.yaml`);
    return () => command(place, [...words, ...files]);
  },
});

const ordersOfRun = 100;
const unchanged = 2.1 * second; // so long after their last change, what is read of files is stored

const besideRuns = (
  words: readonly string[],
  oncePer: OncePer = 'run',
  { sizes = [1, 100, 1_000, 3_000], orders = ordersOfRun, code = 0 } = {},
): Omit<Subject, 'name'> => ({
  unit: 'runs',
  sizes,
  prepare: async (runs, folder) => {
    const place = await placeWith(folder, runs, orders, oncePer);
    await systemClock.sleep(unchanged);
    await command(place, ['plan', 'ladder.yaml']); // reads all of them, and stores what it read
    return () => command(place, words, code);
  },
});

export const subjects: readonly Subject[] = [
  { name: 'for-each of reads', ...forEach('read') },
  { name: 'for-each of orders', ...forEach('order') },
  { name: 'validate of items', ...onItems(['validate', 'ladder.yaml']) },
  { name: 'plan of items', ...onItems(['plan', 'ladder.yaml']) },
  { name: 'runs show of items', ...inRunOfItems(['runs', 'show', 'r-0']) },
  { name: 'runs replay of items', ...inRunOfItems(['runs', 'replay', 'r-0']) },
  { name: 'resume of items', ...inRunOfItems(['-q', 'resume', 'r-0'], true) },
  { name: 'schedule list', ...inSchedules(['schedule', 'list']) },
  { name: 'schedule next', ...inSchedules(['schedule', 'next']) },
  { name: 'runs show', ...inRun(['runs', 'show', 'r-0']) },
  { name: 'runs show --requests', ...inRun(['runs', 'show', 'r-0', '--requests']) },
  { name: 'runs show -o ndjson', ...inRun(['runs', 'show', 'r-0', '-o', 'ndjson']) },
  { name: 'runs verify', ...inRun(['runs', 'verify', 'r-0']) },
  { name: 'plan', ...besideRuns(['plan', 'ladder.yaml']) },
  { name: 'plan --offline', ...besideRuns(['plan', '--offline', 'ladder.yaml']) },
  { name: 'plan once per playbook', ...besideRuns(['plan', 'ladder.yaml'], 'playbook') },
  { name: 'run', ...besideRuns(['-q', 'run', 'ladder.yaml']) },
  {
    name: 'run beside small runs',
    ...besideRuns(['-q', 'run', 'ladder.yaml'], 'run', { sizes: [1, 2_500, 10_000], orders: 3 }),
  },
  { name: 'runs list', ...besideRuns(['runs', 'list']) },
  { name: 'runs prune', ...besideRuns(['runs', 'prune']) },
  { name: 'runs metrics', ...besideRuns(['runs', 'metrics']) },
  { name: 'orders', ...besideRuns(['orders']) },
  // The sandbox does not have the orders: each of them is a difference.
  { name: 'drift', ...besideRuns(['drift'], 'run', { code: exits.changes }) },
  ...pieceSubjects,
];

/** A folder with a playbook of one order, and a state with so many recorded runs of so many orders. */
async function placeWith(
  folder: string,
  runs: number,
  orders: number,
  oncePer: OncePer = 'run',
): Promise<string> {
  const place = mkdtempSync(join(folder, 'place-'));
  writeFileSync(join(place, 'ladder.yaml'), ladderText(1, oncePer));
  const model = firstRun(place);
  const state = join(place, 'state');
  for (let run = 0; run < runs; run++) {
    const at = model.at - 86_400_000 + 1_000 * run;
    const from = 20_000 + run * orders;
    await recordRun(state, model, { run: `r-${run}`, orders, from, at, oncePer });
  }
  return place;
}

/** A folder with a playbook of one step of so many items, which its profile allows. */
function placeOfItems(folder: string, items: number): string {
  const place = mkdtempSync(join(folder, 'place-'));
  const config = `profiles: { sandbox: { plan: { items: ${itemsMax} } } }\n`;
  writeFileSync(join(place, 'deskhand.yaml'), config);
  writeFileSync(join(place, 'ladder.yaml'), ladderText(items, 'run', itemsMax));
  return place;
}

/** Runs the playbook of a folder, and returns how the run started. */
function firstRun(place: string): ReturnType<typeof onlyStart> {
  execFileSync(process.execPath, [deskhand, '-q', 'run', 'ladder.yaml'], {
    cwd: place,
    env: envOf(place),
    stdio: 'ignore',
  });
  return onlyStart(join(place, 'state'));
}
