/** Plans in Restate. */
import type { SharedPlans } from '../shared-plans.ts';
import { openDesk, type RestateOptions } from './desk.ts';
import { planObject, registryObject } from './objects/names.ts';

/** Opens the plans of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestatePlans(
  options: RestateOptions,
): SharedPlans & { close(): Promise<void> } {
  const desk = openDesk(options);
  const plan = desk.keyed(planObject);
  return {
    put: async (id, text) =>
      (await plan<boolean>(id, 'put', { text }, { isRepeatable: true })) === true,
    find: (id) => plan<string>(id, 'find', {}, { isRepeatable: true }),
    newest: async (most) => {
      const registry = desk.single(registryObject);
      const ids = await registry<unknown>('newestPlans', { most }, { isRepeatable: true });
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    },
    close: () => desk.close(),
  };
}
