/** Commands beside earlier runs open one file for all that ended, as whole processes; and no order depends on it. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { demoPlaybook } from '../../src/cli/init/demo-playbook.ts';
import { frame, unframe } from '../../src/engine/journal/record.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { folderOfRuns, openedOfRuns, watched } from './opened-files.ts';

test('a plan and a run open the files of a run that ended only when they changed', async () => {
  const { cwd, state } = await folderOfRuns(4);
  const earlier = readdirSync(join(state, 'runs'));
  const [first = ''] = earlier;
  const opened = (...words: readonly string[]): readonly string[] => {
    const { stderr } = spawnSync(process.execPath, watched(words), { cwd, encoding: 'utf8' });
    return openedOfRuns(stderr, state);
  };
  /** Of the runs that had ended before; the run itself opens its own. */
  const ofEarlier = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => earlier.some((run) => path.includes(run)));

  await setTimeout(2_100); // until the file system would show another change
  expect(opened('plan', 'pauses.yaml')).toContain(`runs/${first}/journal.ndjson`);
  const beside = opened('run', 'pauses.yaml');
  expect(ofEarlier(beside)).toEqual([]);
  expect(beside).toContain('catalogue');
  expect(ofEarlier(opened('plan', 'pauses.yaml'))).toEqual([]);

  appendFileSync(join(state, 'runs', first, 'header.json'), '\n');
  expect(new Set(ofEarlier(opened('plan', 'pauses.yaml')))).toEqual(
    new Set([
      `runs/${first}/header.json`,
      `runs/${first}/journal.ndjson`,
      `high-water/${first}.mark`,
    ]),
  );
  writeFileSync(join(state, 'catalogue'), 'torn');
  expect(opened('plan', 'pauses.yaml')).toContain(`runs/${first}/journal.ndjson`);
});

/** What may be wrong with a catalogue that nobody forged with its checksums. */
const damages: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path),
  shorter: (path) => truncateSync(path, 500),
  'without what runs sent': (path) => {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    writeFileSync(path, `${lines.filter((line) => !line.includes('"lasting"')).join('\n')}\n`);
  },
  'of another version': (path) => {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const others = lines.map((line) => frame(unframe(line).replace('ended 3', 'ended 2')));
    writeFileSync(path, others.join(''));
  },
  stale: (path) => {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const cut = lines.map((line) => {
      const fact = JSON.parse(unframe(line));
      const { lasting: _lasting, ...value } = fact.value;
      return frame(
        JSON.stringify({
          ...fact,
          files: fact.files.map((each: number[]) => each.with(4, 1)),
          value,
        }),
      );
    });
    writeFileSync(path, cut.join(''));
  },
};

test('no run places an order twice when the catalogue is damaged, stale or missing', async () => {
  const cwd = folderWith({ 'demo.yaml': demoPlaybook });
  const state = join(cwd, '.deskhand');
  const at = (...words: string[]) => deskhand(words, { cwd });
  const intent =
    /"kind":"intended","address":"[^"]*","operation":"(?:futures\/place|account\/create)/g;
  const sent = (): number =>
    readdirSync(join(state, 'runs')).flatMap((name) => {
      const journal = readFileSync(join(state, 'runs', name, 'journal.ndjson'), 'utf8');
      return journal.match(intent) ?? [];
    }).length;

  expect((await at('run', 'demo.yaml')).code).toBe(0);
  const orders = sent();
  expect(orders).toBeGreaterThan(0);
  await setTimeout(2_100); // until the file system would show another change
  expect((await at('plan', 'demo.yaml')).code).not.toBe(1);
  const whole = readFileSync(join(state, 'catalogue'));
  expect(whole.toString()).toContain('"lasting"');
  for (const damage of [() => undefined, ...Object.values(damages)]) {
    writeFileSync(join(state, 'catalogue'), whole);
    damage(join(state, 'catalogue'));
    expect((await at('run', 'demo.yaml')).code).toBe(0);
    expect(sent()).toBe(orders);
  }
}, 60_000);
