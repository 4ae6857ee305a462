/** What CONTRIBUTING says how to add, each as small as it can be. */
import type { Addition } from './addition.ts';
import { channel } from './channel.ts';
import { field } from './field.ts';
import { guard } from './guard.ts';
import { keyed } from './keyed.ts';
import { operation } from './operation.ts';
import { page } from './page.ts';
import { store } from './store.ts';

export const additions: readonly Addition[] = [
  field,
  operation,
  keyed,
  guard,
  channel,
  page,
  store,
];
