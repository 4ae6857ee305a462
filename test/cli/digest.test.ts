/** Safety does not depend on digests, nor on their index: a forged one changes the output of `plan`, but nothing that is sent. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoPlaybook } from '../../src/cli/init/demo-playbook.ts';
import { journalStampsOf, textOf } from '../../src/engine/journal/journal-stamps.ts';
import { frame, unframe } from '../../src/engine/journal/record.ts';
import { indexPath } from '../../src/engine/journal/run-index.ts';
import { headerPath } from '../../src/engine/journal/runs.ts';
import { stampOf } from '../../src/engine/journal/stamp.ts';
import { deskhand, folderWith } from './deskhand.ts';

const forgeries = { digest: forgeDigest, index: forgeIndex } as const;

test.each(['digest', 'index'] as const)(
  'a forged %s misleads a plan, and no run places an order twice',
  async (what) => {
    const cwd = folderWith({ 'demo.yaml': demoPlaybook });
    const at = (...words: string[]) => deskhand(words, { cwd });
    const created = async (): Promise<number> =>
      JSON.parse((await at('plan', 'demo.yaml', '-o', 'json')).stdout).totals.create;
    const folder = join(cwd, '.deskhand', 'runs');
    const intent =
      /"kind":"intended","address":"[^"]*","operation":"(?:futures\/place|account\/create)/g;
    const sent = (): number =>
      readdirSync(folder).flatMap((name) => {
        const journal = readFileSync(join(folder, name, 'journal.ndjson'), 'utf8');
        return journal.match(intent) ?? [];
      }).length;

    expect((await at('run', 'demo.yaml')).code).toBe(0);
    const orders = sent();
    expect(orders).toBeGreaterThan(0);
    expect(await created()).toBe(0);
    const [run = ''] = readdirSync(folder);
    forgeries[what](join(cwd, '.deskhand'), run);

    const plan = join(cwd, 'plan.json');
    expect((await at('plan', 'demo.yaml', '--out', plan)).code).not.toBe(1);
    expect(await created()).toBeGreaterThan(0);
    const reviewed = await at('run', plan);
    expect([reviewed.code, reviewed.stderr]).toEqual([5, expect.stringMatching(/plan/)]);
    expect((await at('run', 'demo.yaml')).code).toBe(0);
    expect(sent()).toBe(orders);
  },
);

/** A digest without what the run sent. */
function forgeDigest(state: string, run: string): void {
  const path = join(state, 'runs', run, 'digest');
  const value = JSON.parse(unframe(readFileSync(path, 'utf8').trimEnd()));
  const forged = { ...value, entries: value.entries.slice(0, 1) };
  writeFileSync(path, frame(JSON.stringify(forged)));
}

/** An index by which the run sent nothing. */
function forgeIndex(state: string, run: string): void {
  const header = JSON.parse(readFileSync(headerPath(state, run), 'utf8'));
  const files = journalStampsOf(state, run);
  const one = {
    header,
    file: stampOf(headerPath(state, run))?.text,
    lacks: { ledger: files && textOf(files) },
  };
  writeFileSync(indexPath(state), frame(JSON.stringify({ version: 3, runs: [one] })));
}
