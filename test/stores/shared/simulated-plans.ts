/** Plans that machines share, in memory. */
import type { SharedPlans } from '../../../src/stores/shared-plans.ts';

export function simulatedPlans(): SharedPlans {
  const texts = new Map<string, string>();
  return {
    put: async (id, text) => {
      if (!texts.has(id)) texts.set(id, text);
      return texts.get(id) === text;
    },
    find: async (id) => texts.get(id),
    newest: async (most) => [...texts.keys()].toReversed().slice(0, most),
  };
}
