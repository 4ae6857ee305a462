/** Accounts claimed by runs of other machines, as listed by `runs list`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run as listRuns } from '../../src/cli/commands/runs-list.ts';
import { ended, gitEnv, hub, machine, wanted } from '../state-store/machines.ts';
import { at } from './at.ts';

test('a claim is reported as valid, and as abandoned after its lease has ended', async () => {
  const bare = hub();
  await machine(bare).store.claim(wanted('r-1'));
  const { folder } = machine(bare);
  const config = join(folder, 'deskhand.yaml');
  writeFileSync(config, 'state: { store: git, ref: refs/deskhand/state }\n');
  const seen = async (now: string): Promise<string> =>
    (await at(now, { folder, config, env: gitEnv }, listRuns, { words: [] })).err;

  expect(await seen('2026-11-20T04:01:00Z')).toMatch(
    /^! r-1 on .+ has main to itself, until 2026-11-20 04:05:00 UTC at least\n$/,
  );
  expect(await seen('2026-11-20T05:00:00Z')).toMatch(
    /^! r-1 on .+ had main to itself until 2026-11-20 04:05:00 UTC and did not report its end: deskhand resume r-1\n$/,
  );
});

test('a claim whose process ended on this machine names the command that continues the run', async () => {
  const own = machine(hub());
  await own.opened(ended).claim(wanted('r-1'));
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
