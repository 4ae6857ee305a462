/** The files with rows that a run has from an earlier one, because it reuses the steps or items that wrote them. */
import type { Entry } from './entry.ts';

interface ReusedFile {
  readonly file: string;
  readonly rows: number;
  readonly sha256: string;
}

export function reusedFilesIn([started]: readonly Entry[]): readonly ReusedFile[] {
  if (started?.kind !== 'started') return [];
  const { steps = [], items = [] } = started.reused ?? {};
  return [...steps, ...items].flatMap(({ files = [] }) =>
    files.flatMap(({ rows, ...file }) => (rows === undefined ? [] : [{ ...file, rows }])),
  );
}
