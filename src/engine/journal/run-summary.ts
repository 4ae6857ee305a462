/** The summary of a run that ended and left nothing, which a store keeps beside the record of the run.
 *
 * It has the facts of the catalogue, so that a machine needs the record only to show it. It is made from the
 * record by the process that ends the run, or by the first one that reads the record of a run without one, and
 * it counts only for a record that ends at the same line: a run that continued, that another history of the
 * store has, or whose summary is damaged, or of another version, is read from its record, with the same answer.
 */
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { endedIn, endedKind, endedOf, headerIn } from './ended-facts.ts';
import type { Entry } from './entry.ts';
import { isChanged, type RunHeader } from './header.ts';
import { reasonIn } from './reason-to-keep.ts';
import { DamagedRecordError, frame, unframe } from './record.ts';
import { isSentFacts, sentFacts, sentKind } from './sent-facts.ts';
import type { Facts, RecordEnd } from './stored-facts.ts';
import { isRest, restKind, type Rest } from './stored-rest.ts';
import { visibilityFacts } from './visibility.ts';

/** Makes the fact that lists show; its kind has the version. */
export interface OverviewFact {
  readonly kind: FactKind;
  readonly of: (entries: readonly Entry[]) => unknown;
}

/** The facts of a run; undefined unless it ended and left nothing. */
export function factsOf(
  header: RunHeader,
  entries: readonly Entry[],
  overview: OverviewFact,
): Facts | undefined {
  const ended = header.seal === undefined ? undefined : endedOf(header.run, entries);
  if (ended === undefined) return undefined;
  const needed = reasonIn(entries);
  const sent = ended.signedAt === undefined ? undefined : sentFacts(header.run, entries);
  const rest: Rest = {
    visibility: visibilityFacts(entries),
    ...(needed !== undefined && { needed }),
  };
  return {
    [endedKind]: { header, ...ended },
    [overview.kind]: overview.of(entries),
    [restKind]: rest,
    ...(sent && { [sentKind]: sent }),
  };
}

/** The version of the summaries that this program makes: it is higher when any kind of fact is. */
export function summaryVersion(overview: OverviewFact): number {
  return [endedKind, overview.kind, restKind, sentKind]
    .map((kind) => Number(kind.split(' ')[1]))
    .reduce((sum, each) => sum + each, 0);
}

/** A summary as a line of text with a checksum. */
export function summaryText(run: string, { lines, link }: RecordEnd, facts: Facts): string {
  return frame(JSON.stringify({ run, lines, link, facts }));
}

/** The facts in a summary; undefined if it does not count for this record, or lacks a kind of this version. */
export function factsIn(
  text: string,
  run: string,
  end: RecordEnd,
  overview: OverviewFact,
): Facts | undefined {
  const value = valueIn(text);
  if (!isRecord(value) || !isRecord(value['facts'])) return undefined;
  if (value['run'] !== run || value['lines'] !== end.lines || value['link'] !== end.link) {
    return undefined;
  }
  const { facts } = value;
  return areFacts(facts, run, overview) ? facts : undefined;
}

/** Whether some facts are those of a run, in the kinds of this version. */
function areFacts(facts: Facts, run: string, overview: OverviewFact): boolean {
  const ended = facts[endedKind];
  const header = isRecord(ended) ? headerIn(ended['header'], run) : undefined;
  if (header?.seal === undefined || isChanged(header)) return false;
  if (endedIn(ended) === undefined) return false;
  const sent = facts[sentKind];
  if (sent !== undefined && !isSentFacts(sent)) return false;
  return isRecord(facts[overview.kind]) && isRest(facts[restKind]);
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(unframe(text.replace(/\n$/, '')));
  } catch (error) {
    if (error instanceof DamagedRecordError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
