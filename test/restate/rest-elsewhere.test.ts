/** A loop that stopped on one machine, and is finished on another one. */
import { test } from 'vitest';
import { finishesElsewhere } from '../postgres/rest-elsewhere.ts';
import { restateDesk } from './desk.ts';

test('the rest of a loop is planned and executed elsewhere, each order once', async () => {
  await finishesElsewhere(await restateDesk({}));
});
