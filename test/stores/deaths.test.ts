/** A machine crashes, and the one that continues sends again what it does not find. */
import { test } from 'vitest';
import { crashEverywhere } from './deaths.ts';

test(
  'crashing at every action, with on-doubt: resend',
  () => crashEverywhere('resend', 1),
  600_000,
);
