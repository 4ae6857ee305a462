/** The store of one machine. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localStore } from '../../src/stores/local.ts';

test('two profiles of one account share its lock in one run, and block other runs', async () => {
  const store = localStore(await mkdtemp(join(tmpdir(), 'local-')));
  const main = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '1a2b3c4d' } as const;
  const twin = { ...main, profile: 'twin' };
  const wanted = { playbook: 'p', isResumed: false, now: async () => 0, observedAt: 0 };
  const hold = await store.claim({ ...wanted, run: 'r-1', accounts: [main, twin] });
  const second = { ...wanted, run: 'r-2', accounts: [twin] };
  await expect(store.claim(second)).rejects.toThrow(/^run r-1 \(process/);
  await hold.release();
  await (await store.claim(second)).release();
});

test('a resumed run locks itself and its account like a new one', async () => {
  const store = localStore(await mkdtemp(join(tmpdir(), 'local-')));
  const main = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '1a2b3c4d' } as const;
  const other = { ...main, profile: 'other', keyFingerprint: '5e6f7a8b' };
  const again = { playbook: 'p', isResumed: true, now: async () => 0, observedAt: 0, run: 'r-1' };
  const hold = await store.claim({ ...again, accounts: [main] });
  for (const wanted of [
    { ...again, accounts: [main] },
    { ...again, accounts: [other] },
    { ...again, accounts: [main], run: 'r-2' },
    { ...again, accounts: [main], run: 'r-3', isResumed: false },
  ]) {
    await expect(store.claim(wanted)).rejects.toThrow(/^run r-1 \(process/);
  }
  await hold.release();
});
