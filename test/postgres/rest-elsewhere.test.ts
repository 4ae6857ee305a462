/** A loop that stopped on one machine, and is finished on another one. */
import { test } from 'vitest';
import { desk } from './desk.ts';
import { finishesElsewhere } from './rest-elsewhere.ts';

test('the rest of a loop is planned and executed elsewhere, each order once', async () => {
  await finishesElsewhere(await desk());
});
