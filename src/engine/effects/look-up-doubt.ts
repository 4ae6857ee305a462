/** The proof that the exchange gives about a write in doubt, without a person's statement. */
import { appendTo } from '../../base/groups.ts';
import type { Json } from '../../base/json.ts';
import {
  keyIn,
  lineKey,
  meantOrder,
  placesOrders,
  type ListedLine,
} from '../../exchange/api/meant-order.ts';
import { lookupText } from '../journal/doubt.ts';
import { signingsOf } from '../journal/replay.ts';
import type { EffectContext } from './effect-context.ts';
import type { InDoubt, Intent } from './doubts.ts';
import { strangeOrders } from './forgotten.ts';
import { reconcile, type LookupContext } from './reconcile.ts';
import { outputOf } from './settle.ts';

/** The outcome that the evidence allows. */
export type DoubtFinding =
  | { readonly kind: 'placed'; readonly output: Json }
  | { readonly kind: 'absent'; readonly evidence: string }
  | { readonly kind: 'unknown'; readonly because: string };

export interface DoubtContext
  extends LookupContext, Pick<EffectContext, 'forgot' | 'namesElsewhere' | 'entries'> {
  /** Whether the lists of the account show orders of a product line. */
  readonly lists: (line: ListedLine) => 'listed' | 'unlisted' | 'unknown';
}

/**
 * Looks an order up under every clientOid that it was sent with: by the search that a resume makes,
 * until it appears, or until two searches past the fence do not show it.
 * @throws InterruptedError when it is stopped before
 */
export async function lookUpDoubt(
  { intents, because }: InDoubt,
  context: DoubtContext,
): Promise<DoubtFinding> {
  const last = intents.at(-1);
  if (last === undefined) return unknown(`another run sent it: ${because}`);
  if (!placesOrders(last.operation)) {
    return unknown(`no list shows what ${last.operation} did`);
  }
  const findings: DoubtFinding[] = [];
  for (const attempts of byName(intents)) findings.push(await lookUp(last, attempts, context));
  const placed = findings.find(({ kind }) => kind === 'placed');
  return (
    placed ?? findings.find(({ kind }) => kind === 'unknown') ?? findings[0] ?? unknown(because)
  );
}

/** The attempts under each clientOid, oldest first. */
function byName(intents: readonly Intent[]): Iterable<readonly Intent[]> {
  const groups = new Map<unknown, Intent[]>();
  for (const intent of intents) {
    appendTo(groups, keyIn(intent.operation, intent.input), intent);
  }
  return groups.values();
}

async function lookUp(
  { address, operation }: Intent,
  attempts: readonly Intent[],
  context: DoubtContext,
): Promise<DoubtFinding> {
  const meant = meantOrder(operation, attempts.at(-1)?.input);
  const signed = attempts.flatMap(signingsOf);
  const finding = await reconcile({ meant, signed, address }, context);
  switch (finding.kind) {
    case 'found':
      return { kind: 'placed', output: outputOf(meant.operation, finding.order) };
    case 'unknown':
      return unknown(lookupText(finding.lookup));
    case 'absent': {
      const why = provesNothing[context.lists(meant)](lineKey(meant));
      const evidence = lookupText(finding.lookup);
      if (why !== undefined) return unknown(`${evidence}; ${why}`);
      const strange = await strangeOrders(meant, context);
      if (strange.length === 0) {
        return finding.mayBe === undefined ? { kind: 'absent', evidence } : unknown(evidence);
      }
      return unknown(`it may be one of ${strange.length} orders that no journal knows`);
    }
  }
}

const provesNothing = {
  listed: () => undefined,
  unlisted: (line: string) => `these lists do not show orders of ${line}`,
  unknown: (line: string) => `these lists have never shown an order of ${line} of this account`,
} as const;

function unknown(because: string): DoubtFinding {
  return { kind: 'unknown', because };
}
