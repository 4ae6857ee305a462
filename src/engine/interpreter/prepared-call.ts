/** The calls of a step's items, each prepared once: the opening lists what is then sent. */
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Step } from '../../language/playbook.ts';
import { callOf, type Call } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import type { Naming } from '../plan/naming.ts';

interface Prepared extends Pick<Naming, 'run' | 'destination'> {
  readonly step: Step;
  readonly call: Call;
}

const prepared = new WeakMap<Item, Prepared>();

/**
 * The call of an item, whose expressions are evaluated once for its run and account. One with fields that are
 * known only after a step is prepared again.
 * @throws EvaluationError when an expression of `with` cannot be evaluated
 */
export function preparedCall(
  step: Step,
  operation: OperationName,
  item: Item,
  naming: Naming,
): Call {
  const { run, destination } = naming;
  const known = prepared.get(item);
  if (known?.destination === destination && known.run === run && known.step === step) {
    return known.call;
  }
  const call = callOf(step, operation, item, naming);
  if (call.unknown.size === 0) prepared.set(item, { run, destination, step, call });
  return call;
}
