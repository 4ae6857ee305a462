/** The places of the catalogue's table that a filter wants, and what the blocks that were not read may have. */
import { plainText } from '../../base/text.ts';
import type { RunGroup } from '../../engine/journal/run-columns.ts';
import type { ListedSummary } from '../../report/overview/listed-summary.ts';
import type { ListedTable } from '../../report/overview/listed-table.ts';
import type { RunFilter } from './run-filter.ts';
import type { RunRow } from './run-row.ts';

/** Compares two runs by their order in lists. */
export function byStart(
  a: Pick<RunRow, 'startedAt' | 'run'>,
  b: Pick<RunRow, 'startedAt' | 'run'>,
): number {
  return b.startedAt - a.startedAt || (a.run === b.run ? 0 : a.run < b.run ? 1 : -1);
}

/** The places of the runs that were read, newest first. */
export function sortedPlaces(table: ListedTable): readonly number[] {
  return [...table.places()].sort((a, b) => {
    const later = table.startedAt(b) - table.startedAt(a);
    return later || (table.runAt(a) < table.runAt(b) ? 1 : -1);
  });
}

/** A filter of places. What runs have in common is compared once. */
export function placeFilter(table: ListedTable, wanted: RunFilter): (place: number) => boolean {
  const { state, playbook, account, profile, person, since, until, prefix } = wanted;
  const groups = table.groups.map((group) => {
    const [own, ...others] = accountsIn(group);
    if (playbook !== undefined && playbookIn(group) !== playbook) return false;
    if (profile !== undefined && own !== profile) return false;
    return account === undefined || own === account || others.includes(account);
  });
  const people = table.people.map((each) => person === undefined || each.includes(person));
  return (place) => {
    if (!table.has(place) || groups[table.groupAt(place)] !== true) return false;
    if (state !== undefined && table.statusAt(place) !== state) return false;
    if (people[table.peopleAt(place)] !== true) return false;
    const startedAt = table.startedAt(place);
    if (since !== undefined && startedAt < since) return false;
    if (until !== undefined && startedAt >= until) return false;
    return prefix === undefined || table.runAt(place).startsWith(prefix);
  };
}

/** Whether a block may have a wanted run. */
export function mayMatch(
  { state, playbook, account, profile, person, since, until }: RunFilter,
  summary: ListedSummary,
): boolean {
  if (since !== undefined && summary.last < since) return false;
  if (until !== undefined && summary.first >= until) return false;
  const { statuses, people } = summary;
  const mayHave = (values: readonly string[] | undefined, value: string | undefined): boolean =>
    values === undefined || value === undefined || values.includes(value);
  const { playbooks, destinations, accounts } = valuesOfBlock(summary);
  return (
    mayHave(statuses, state) &&
    mayHave(people, person) &&
    mayHave(playbooks, playbook) &&
    mayHave(destinations, profile) &&
    mayHave(destinations && accounts && [...destinations, ...accounts], account)
  );
}

/** The accounts of a group of runs, as the rows of the runs show them. */
export function accountsIn({ accounts }: Pick<RunGroup, 'accounts'>): readonly string[] {
  return [...new Set(accounts.map(({ profile }) => plainText(profile, 60)))];
}

export function playbookIn({ playbook }: Pick<RunGroup, 'playbook'>): string {
  return plainText(playbook, 80);
}

/** The values that the filters of lists offer. */
export interface RunValues {
  readonly playbooks: readonly string[];
  readonly accounts: readonly string[];
  readonly people: readonly string[];
}

/** The values of runs that are there, each once. */
export function valuesOf(rows: readonly RunRow[], table: ListedTable): RunValues {
  table.read((summary) => !areKnown(summary));
  const groups = new Set<number>();
  const people = new Set<number>();
  for (const place of table.places()) {
    groups.add(table.groupAt(place));
    people.add(table.peopleAt(place));
  }
  const used = [...groups].flatMap((group) => table.groups[group] ?? []);
  const blocks = table.unread.map(valuesOfBlock);
  const sorted = (...values: readonly (readonly string[])[]): readonly string[] =>
    [...new Set(values.flat())].filter((value) => value !== '').toSorted();
  return {
    playbooks: sorted(
      rows.map(({ playbook }) => playbook),
      used.map(playbookIn),
      ...blocks.map(({ playbooks = [] }) => playbooks),
    ),
    accounts: sorted(
      ...rows.map(({ profile, otherAccounts = [] }) => [profile, ...otherAccounts]),
      ...used.map(accountsIn),
      ...blocks.map(({ destinations = [], accounts = [] }) => [...destinations, ...accounts]),
    ),
    people: sorted(
      ...rows.map((row) => row.people),
      ...[...people].map((each) => table.people[each] ?? []),
      ...blocks.map((block) => block.people ?? []),
    ),
  };
}

function areKnown({ playbooks, destinations, accounts, people }: ListedSummary): boolean {
  return [playbooks, destinations, accounts, people].every((values) => values !== undefined);
}

interface BlockValues {
  readonly playbooks?: readonly string[];
  readonly destinations?: readonly string[];
  readonly accounts?: readonly string[];
  readonly people?: readonly string[];
}

/** The values of a block as rows have them. */
function valuesOfBlock({ playbooks, destinations, accounts, people }: ListedSummary): BlockValues {
  return {
    ...(playbooks && { playbooks: playbooks.map((playbook) => playbookIn({ playbook })) }),
    ...(destinations && { destinations: accountsIn({ accounts: destinations }) }),
    ...(accounts && { accounts: accountsIn({ accounts }) }),
    ...(people && { people }),
  };
}
