/** Settles a write in doubt: looks it up if lists show it, and decides what the result allows. */
import type { Millis } from '../../base/clock.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import { lineKey, meantOrder, placesOrders, responseFor } from '../../exchange/api/meant-order.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import { unsettled } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Order } from '../plan/order-row.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { endSeen } from './end-order.ts';
import { reconcile, type Finding, type Lookup } from './reconcile.ts';
import { isNamed, openIntents, sentAs, type Sent } from './sent.ts';

/**
 * The outcome of a write in doubt, as far as it can be known. Undefined means that the write may be
 * sent, or sent again.
 * @throws InterruptedError when the run is stopped during the lookup: the next process looks the write up
 */
export async function settleDoubt(
  call: WriteJob['call'],
  sent: Sent,
  context: EffectContext,
): Promise<Outcome | undefined> {
  const { doubt: because } = sent;
  if (because === undefined) return undefined;
  if (call.effect === 'set') return endSeen(call, context); // repeating a set is harmless
  if (!placesOrders(call.operation)) {
    return sent.isSaidAbsent ? sendAgain(sent) : unsettled(because);
  }
  const meant = meantOrder(call.operation, call.input, context.destination.family);
  // Lists that show nothing are searched once: waiting would prove nothing.
  const isBlind = (await context.visibility.known(meant)) === 'unlisted' && !sent.isSaidAbsent;
  const finding = await lookUp(
    { meant, address: call.address },
    sent,
    context,
    isBlind ? 0 : undefined,
  );
  switch (finding.kind) {
    case 'found':
      if (finding.by === 'lists') {
        const shown = { order: finding.order, on: meant, address: call.address };
        await context.visibility.shown(shown, context);
      }
      return {
        kind: 'done',
        output: outputOf(call.operation, finding.order),
        evidence: 'looked-up',
      };
    case 'unknown':
      return unsettled(because, finding.lookup);
    case 'absent': {
      sent.looked = finding.lookup;
      const orders = await context.visibility.known(meant);
      const isProved = orders === 'listed' && finding.mayBe === undefined;
      const mayResend = context.onDoubt === 'resend' || sent.isOverLimit === true;
      if (sent.isSaidAbsent || (isProved && mayResend)) {
        return sendAgain(sent);
      }
      const but = provesNothing[orders](lineKey(meant));
      return unsettled(because, { ...finding.lookup, ...(but !== undefined && { but }) });
    }
  }
}

/** Settles intents of other runs with other clientOids: each is looked up as it was sent. */
export async function settleEarlier(
  call: WriteJob['call'],
  context: EffectContext,
): Promise<Outcome | undefined> {
  if (call.effect !== 'keyed') return undefined;
  for (const intent of openIntents(call, context)) {
    if (isNamed(call, intent) || !isJsonRecord(intent.input)) continue;
    const settled = await settleDoubt({ ...call, input: intent.input }, sentAs(intent), context);
    if (settled !== undefined) return settled;
  }
  return undefined;
}

/** Allows one sending of a write that is absent by the lists or by a person's statement. */
function sendAgain(sent: Sent): undefined {
  sent.doubt = undefined;
  sent.isOverLimit = false;
  sent.isSaidAbsent = false;
}

/** Why the absence of an order from the lists proves nothing, by their visibility. */
const provesNothing = {
  listed: () => undefined,
  unlisted: (line: string) =>
    `an order of ${line} that was accepted is not in these lists either: they prove nothing`,
  unknown: (line: string) =>
    `these lists have never shown an order of ${line} of this account: they prove nothing yet`,
} as const;

async function lookUp(
  { address, meant }: Pick<Lookup, 'address' | 'meant'>,
  { signed }: Sent,
  context: EffectContext,
  forMs: Millis | undefined,
): Promise<Finding> {
  const until = forMs === undefined ? {} : { forMs };
  try {
    return await reconcile({ meant, signed: [...signed], address, ...until }, context);
  } catch (error) {
    if (!context.halt.aborted) throw error;
    throw new InterruptedError();
  }
}

/** The response to a write whose order a list shows. */
export function outputOf(operation: OperationName, { orderId, clientOid }: Order): Json {
  return responseFor(operation, { id: orderId, name: clientOid });
}
