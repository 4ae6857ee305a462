/** Rate limits in Restate. */
import type { Millis } from '../../base/clock.ts';
import type { SharedPaces } from '../shared/shared-paces.ts';
import { openDesk, required, type RestateOptions } from './desk.ts';
import { paceObject } from './objects/names.ts';

/** Opens the rate limits of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestatePaces(options: RestateOptions): SharedPaces {
  const desk = openDesk(options);
  const pace = desk.keyed(paceObject);
  const repeatable = { isRepeatable: true } as const;
  return {
    take: async (key, { permits, per }, id) =>
      required(pace<Millis>(key, 'take', { permits, per, id }, repeatable)),
    answered: async (key, id) => {
      await pace(key, 'answered', { id }, repeatable);
    },
    hold: async (key, ms) => {
      await pace(key, 'hold', { ms }, repeatable);
    },
    close: () => desk.close(),
  };
}
