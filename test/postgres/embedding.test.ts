/** Programs that import deskhand: many calls in one process, beside one database. */
import { expect, test } from 'vitest';
import { plan } from '../../src/app/embedding/index.ts';
import { desk, folder } from './desk.ts';

const calls = 12;
const perPool = 8; // connections

test('calls of one program share the connections to their database', async () => {
  const all = await desk();
  const cwd = folder(all);
  for (let nth = 0; nth < calls; nth++) {
    const made = await plan({ cwd, env: all.keys, playbook: 'ladder.yaml' });
    expect(made.totals).toMatchObject({ create: 3 });
  }
  const [row] = await all.server.sql(
    `select count(*)::int as open from pg_stat_activity where application_name = 'deskhand'`,
  );
  expect(row?.['open']).toBeLessThanOrEqual(perPool);
});
