/** The usage of guards in reports: facts, or a table of accounts and guards. */
import type { GuardResult } from '../../engine/journal/guard-result.ts';
import { guardLines, guardTable, type GuardLine, type GuardTable } from '../guard-lines.ts';
import type { Fact, Inline, Table } from './block.ts';

/** The usage of guards as facts; none if there are no guards, or if they have a table. */
export function guardFacts(guards: readonly GuardResult[]): Fact[] {
  const lines = guardLines(guards);
  if (lines.length === 0 || guardTable(lines) !== undefined) return [];
  return [['Guards', { lines: lines.map((line) => [...useOf(line, { code: line.name })]) }]];
}

/** The usage of guards as a table; absent when every guard limits the run as a whole. */
export function guardBlock(
  guards: readonly GuardResult[],
): Table<GuardTable['rows'][number]> | undefined {
  const table = guardTable(guardLines(guards));
  if (table === undefined) return undefined;
  return {
    columns: [
      { name: 'Guards', cell: ({ owner }) => ({ code: owner }) },
      ...table.names.map((name, at) => ({
        name,
        cell: ({ cells }: GuardTable['rows'][number]) => {
          const line = cells[at];
          return line === undefined ? '' : useOf(line);
        },
      })),
    ],
    rows: table.rows,
    rest: '',
  };
}

function useOf({ isKept, use }: GuardLine, name?: Inline): readonly Inline[] {
  return [...(isKept ? [] : ['not kept: ']), ...(name === undefined ? [use] : [name, ` ${use}`])];
}
