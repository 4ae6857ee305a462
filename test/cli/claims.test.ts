/** Accounts claimed by runs of other machines, as listed by `runs list`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run as listRuns } from '../../src/cli/commands/runs-list.ts';
import { begun, ended, gitEnv, hub, machine, wanted, type Machine } from '../stores/machines.ts';
import { at } from './at.ts';

test('a claim is reported as valid, and as abandoned after its lease has ended', async () => {
  const bare = hub();
  await begun(machine(bare), 'r-1');
  const seen = seenFrom(machine(bare));

  expect((await seen('2026-11-20T04:01:00Z')).err).toMatch(
    /^! r-1 on .+ has main to itself, until 2026-11-20 04:05:00 UTC at least\n$/,
  );
  expect((await seen('2026-11-20T05:00:00Z')).err).toMatch(
    /^! r-1 on .+ had main to itself until 2026-11-20 04:05:00 UTC and did not report its end: deskhand resume r-1\n/,
  );
});

test('a claim of a run without a record advises nothing, because the run sent nothing', async () => {
  const bare = hub();
  await machine(bare).store.claim(wanted('r-1'));
  const { err } = await seenFrom(machine(bare))('2026-11-20T05:00:00Z');
  expect(err).toMatch(
    /^! r-1 on .+ had main to itself until 2026-11-20 04:05:00 UTC, and its process ended before it began: nothing was sent, and nothing is to be resumed\n$/,
  );
});

test('a claim whose process ended on this machine names the command that continues the run', async () => {
  const own = machine(hub());
  await begun({ ...own, store: own.opened(ended) }, 'r-1');
  const config = join(own.folder, 'deskhand.yaml');
  writeFileSync(config, 'state: { store: git, ref: refs/deskhand/state }\n');
  const env = { ...gitEnv, DESKHAND_STATE_DIR: own.stateDir };
  const started = { folder: own.folder, config, env };
  const { err } = await at('2026-11-20T04:01:00Z', started, listRuns, { words: [] });
  expect(err).toContain(
    '! r-1 has main, and its process on this machine has ended: deskhand resume r-1 (on other machines from 2026-11-20 04:05:00 UTC on)\n',
  );
  expect(err).not.toContain('to itself');
});

/** What `runs list` says on a machine at a time. */
function seenFrom({ folder, stateDir }: Machine): (now: string) => Promise<{ err: string }> {
  const config = join(folder, 'deskhand.yaml');
  writeFileSync(config, 'state: { store: git, ref: refs/deskhand/state }\n');
  const started = { folder, config, env: { ...gitEnv, DESKHAND_STATE_DIR: stateDir } };
  return async (now) => at(now, started, listRuns, { words: [] });
}
