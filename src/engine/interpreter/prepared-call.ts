/** The calls of a step's items, each prepared once: the opening lists what is then sent. */
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Step } from '../../language/playbook.ts';
import { callOf, type Call } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import type { Naming } from '../plan/naming.ts';

interface Prepared {
  readonly destination: Naming['destination'];
  readonly call: Call;
}

const prepared = new WeakMap<Item, Prepared>();

/**
 * The call of an item, whose expressions are evaluated once for its account. One with fields that are
 * known only after a step is prepared again.
 * @throws EvaluationError when an expression of `with` cannot be evaluated
 */
export function preparedCall(
  step: Step,
  operation: OperationName,
  item: Item,
  naming: Naming,
): Call {
  const { destination } = naming;
  const known = prepared.get(item);
  if (known?.destination === destination) return known.call;
  const call = callOf(step, operation, item, naming);
  if (call.unknown.size === 0) prepared.set(item, { destination, call });
  return call;
}
