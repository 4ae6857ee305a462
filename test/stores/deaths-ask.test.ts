/** A machine crashes, and the one that continues leaves to a person what it does not find. */
import { test } from 'vitest';
import { crashEverywhere } from './deaths.ts';

test('crashing at every action, with on-doubt: ask', () => crashEverywhere('ask', 3), 600_000);
