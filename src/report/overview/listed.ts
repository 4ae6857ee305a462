/** What lists show of a run that ended, without what only its own page, searches and metrics need of its overview. */
import type { Millis } from '../../base/clock.ts';
import type { FactKind } from '../../engine/journal/catalogue.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { overviewVersion, type Overview } from './overview.ts';

/** The kind of the fact, which is stored together with the overview of a run and has its version. */
export const listedKind: FactKind = `listed ${overviewVersion}`;

/** The fields of an overview that lists do not show. */
type Unlisted = 'ids' | 'figures' | 'requests' | 'isOpen' | 'sent';

/** A run that ended, as lists show it: plain JSON, because it is stored. */
export interface ListedRun extends Omit<Overview, Unlisted> {
  readonly playbook: string;
  readonly destination: Destination;
  /** Other accounts, as the header names them. */
  readonly accounts?: readonly Destination[];
  readonly createdAt: Millis;
  /** When the first and the last of its orders were sent; absent without orders. */
  readonly sentFrom?: Millis;
  readonly sentTo?: Millis;
}

export function listedOf(
  { playbook, destination, accounts, createdAt }: RunHeader,
  overview: Overview,
): ListedRun {
  const { ids: _ids, figures: _figures, requests: _requests, isOpen: _open, ...rest } = overview;
  const { sent, ...shown } = rest;
  return {
    playbook,
    destination,
    ...(accounts && { accounts }),
    createdAt,
    ...shown,
    ...(sent && { sentFrom: sent[0], sentTo: sent[1] }),
  };
}
