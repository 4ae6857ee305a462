/** Settings of a running world: its strictness and quirks. */
import type { PageOverflow } from '../gateway/parameters.ts';

/** How lists, times, ids and fields without a value are written in responses. */
export const answerForms = ['interface', 'real'] as const;
export type AnswerForms = (typeof answerForms)[number];

/** Habits of the real exchange on which its documents disagree; all off by default. */
export interface Quirks {
  /** Endpoint 5 returns uid as a number, as its sample does. */
  readonly customerUidNumber: boolean;
  /** Endpoint 1 answers the leverage of Coin-M symbols as a list, as its field table does. */
  readonly coinLeverageList: boolean;
  /** Endpoint 13 writes sides in lower case, as its field table does. */
  readonly lowerCaseSides: boolean;
  /** A key serves the v2 paths or the v3 paths, by the family of its account, never both. */
  readonly splitFamilies: boolean;
  /** A body of `{}` may be signed as no body, as the exchange's own Node client does. */
  readonly unsignedEmptyBody: boolean;
  /** Responses have the forms of the interface, or those seen in real ones; absent in old worlds. */
  readonly answers?: AnswerForms;
}

export interface Config {
  readonly limits: boolean;
  readonly pageOverflow: PageOverflow;
  readonly quirks: Quirks;
}

export function defaultConfig(limits: boolean): Config {
  return {
    limits,
    pageOverflow: 'reject',
    quirks: {
      customerUidNumber: false,
      coinLeverageList: false,
      lowerCaseSides: false,
      splitFamilies: false,
      unsignedEmptyBody: false,
      answers: 'interface',
    },
  };
}
