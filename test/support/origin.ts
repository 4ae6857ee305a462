/** Where the rows of an export came from, when no test asks. */
import type { Origin } from '../../src/engine/export/manifest.ts';

export const origin: Origin = {
  operation: 'futures/list-bills',
  input: {},
  covered: [],
  clamps: [],
  pages: 1,
  duplicatesDropped: 0,
  exchangeTime: 1,
  contract: 'c0ffee',
};
