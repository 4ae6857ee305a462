/** Settings of a scenario: the world's clock, and the strictness and quirks of the exchange. */
import {
  choice,
  described,
  integer,
  optional,
  record,
  type Schema,
} from '../../exchange/api/schema.ts';
import { answerForms } from '../world/world-settings.ts';
import { timeModes } from '../world/time.ts';
import { closed, flag, moment, required } from './words.ts';

export const clock = record(
  {
    mode: choice(timeModes),
    at: optional(described('World time to advance to, Unix milliseconds', moment)),
    // The maximum is slightly more than a day per second.
    speed: optional(
      integer({ minimum: 1, maximum: 100_000, description: 'Speed factor of accelerated' }),
    ),
  },
  { ...closed, ...required('speed', { mode: ['accelerated'] }) },
);

const duplicateRule: Schema<'reject' | 'accept' | number> = {
  json: {
    anyOf: [{ enum: ['reject', 'accept'] }, { type: 'integer', minimum: 0 }],
    description: 'A clientOid used again is refused, accepted, or refused for so many milliseconds',
  },
};

export const config = record(
  {
    limits: optional(flag('Whether rate limits are in force')),
    pageOverflow: optional(choice(['reject', 'clamp'])),
    duplicateClientOid: optional(duplicateRule),
    matchDelayMs: optional(integer({ minimum: 0 })),
    quirks: optional(
      record(
        {
          customerUidNumber: optional(flag('Endpoint 5 returns uid as a number')),
          coinLeverageList: optional(flag('Endpoint 1 returns Coin-M leverage as a list')),
          lowerCaseSides: optional(flag('Endpoint 13 writes sides in lower case')),
          splitFamilies: optional(flag('A key serves v2 paths or v3 paths, never both')),
          unsignedEmptyBody: optional(flag('A body of {} may be signed as no body')),
          answers: optional(
            choice(answerForms, {
              description: 'Whether responses have the forms of the interface, or of real ones',
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);
