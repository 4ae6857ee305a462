/** The paces of one process and of one machine keep a limit. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standingClock } from '../../../src/base/clock.ts';
import { ownPace } from '../../../src/exchange/client/pace.ts';
import { sharedPace } from '../../../src/exchange/client/shared-pace.ts';
import { paceContract } from './pace-contract.ts';

const clock = standingClock(1_000_000);

paceContract('in memory', {
  clock,
  open: async (limit) => {
    const pace = ownPace(limit, clock);
    return () => pace;
  },
});

paceContract('in a file', {
  clock,
  open: async (limit) => {
    const path = join(mkdtempSync(join(tmpdir(), 'deskhand-pace-')), 'pace.json');
    return () => sharedPace(path, limit, clock);
  },
});
