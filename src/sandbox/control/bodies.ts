/** What the bodies of control requests may hold; a part of a scenario is written the same way here. */
import { schemaProblems } from '../../contract/check.ts';
import { choice, integer, list, optional, record, type Schema } from '../../contract/schema.ts';
import { orderCategories, symbolName } from '../../contract/vocabulary.ts';
import { Refusal } from '../refusal.ts';
import { fault } from '../scenario/fault.ts';
import { account, key, transfer } from '../scenario/people.ts';
import { clock, config } from '../scenario/settings.ts';
import { market, order } from '../scenario/trading.ts';
import { closed, lastMoment, positionModes, uid, word } from '../scenario/words.ts';
import { timeModes } from '../world/time.ts';

const moment = integer({ minimum: 0, maximum: lastMoment });

const bodies: Readonly<Record<string, Schema<unknown>>> = {
  accounts: account,
  'accounts/mode': record({ uid, positionMode: choice(positionModes) }, closed),
  clock,
  'clock/advance': record({ ms: optional(moment), to: optional(moment) }, closed),
  config,
  faults: record({ rules: list(fault) }, closed),
  keys: key,
  market,
  orders: order,
  'orders/cancel': record(
    {
      uid: optional(uid),
      orderId: optional(word),
      category: optional(choice(orderCategories)),
      symbol: optional(symbolName),
    },
    closed,
  ),
  reset: record(
    {
      seed: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      startAt: optional(moment),
      time: optional(choice(timeModes)),
    },
    closed,
  ),
  snapshots: record({ name: word }, closed),
  'snapshots/restore': record({ name: word }, closed),
  transfers: transfer,
};

/**
 * A scenario has its own check, which also reads numbers as text.
 * @throws Refusal that names everything wrong, unknown fields included
 */
export function checkBody(path: string, body: unknown): void {
  const schema = Object.hasOwn(bodies, path) ? bodies[path] : undefined;
  const problems = schema === undefined ? [] : schemaProblems(schema.json, body);
  if (problems.length === 0) return;
  throw new Refusal('40017', problems.map(({ message }) => message).join('; '));
}
