/** Settles a write in doubt: looks it up if lists show it, and decides what the result allows. */
import type { Millis } from '../../base/clock.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import { checkInput } from '../../exchange/api/check.ts';
import type { ProductType } from '../../exchange/api/vocabulary.ts';
import { unsettled } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Order } from '../plan/order-row.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { reconcile, type Finding } from './reconcile.ts';
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
  if (call.effect === 'set') return undefined; // repeating a set is harmless
  if (call.operation !== 'futures/place-order') {
    return sent.isSaidAbsent ? sendAgain(sent) : unsettled(because);
  }
  checkInput(call.operation, call.input);
  const productType = call.input.productType;
  // Lists that show nothing are searched once: waiting would prove nothing.
  const isBlind =
    (await context.visibility.known(productType)) === 'unlisted' && !sent.isSaidAbsent;
  const finding = await lookUp(call, sent, context, isBlind ? 0 : undefined);
  switch (finding.kind) {
    case 'found':
      await context.visibility.shown(
        { order: finding.order, productType, address: call.address },
        context,
      );
      return { kind: 'done', output: outputOf(finding.order), evidence: 'looked-up' };
    case 'unknown':
      return unsettled(because, finding.lookup);
    case 'absent': {
      sent.looked = finding.lookup;
      const orders = await context.visibility.known(productType);
      const isProved = orders === 'listed' && finding.mayBe === undefined;
      const mayResend = context.onDoubt === 'resend' || sent.isOverLimit === true;
      if (sent.isSaidAbsent || (isProved && mayResend)) {
        return sendAgain(sent);
      }
      const but = provesNothing[orders](productType);
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
  unlisted: (productType: ProductType) =>
    `an order of ${productType} that was accepted is not in these lists either: they prove nothing`,
  unknown: (productType: ProductType) =>
    `these lists have never shown an order of ${productType} of this account: they prove nothing yet`,
} as const;

async function lookUp(
  { address, input }: WriteJob['call'],
  { signed }: Sent,
  context: EffectContext,
  forMs: Millis | undefined,
): Promise<Finding> {
  checkInput('futures/place-order', input);
  const until = forMs === undefined ? {} : { forMs };
  try {
    return await reconcile({ placed: input, signed: [...signed], address, ...until }, context);
  } catch (error) {
    if (!context.halt.aborted) throw error;
    throw new InterruptedError();
  }
}

export function outputOf(order: Order): Json {
  return { orderId: order.orderId, clientOid: order.clientOid };
}
