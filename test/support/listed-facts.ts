/** Listed runs as facts of a catalogue, and the table of some lines of its file. */
import type { Fact } from '../../src/engine/journal/catalogue-blocks.ts';
import { bytesIn } from '../../src/engine/journal/catalogue-bytes.ts';
import { CatalogueLines } from '../../src/engine/journal/catalogue-lines.ts';
import { listedKind, type ListedRun } from '../../src/report/overview/listed.ts';
import { ListedTable } from '../../src/report/overview/listed-table.ts';
import { startOfRuns } from './tape.ts';

export function factOf(run: string, line: Partial<ListedRun>): Fact {
  const startedAt = line.startedAt ?? startOfRuns;
  const value: ListedRun = {
    playbook: 'ladder',
    destination: { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' },
    createdAt: startedAt,
    status: 'done',
    what: '1 order placed',
    doubts: 0,
    recordedDoubts: 0,
    people: [],
    startedAt,
    tookMs: 5,
    orders: 1,
    rows: 0,
    lastAt: startedAt + 5,
    seq: 4,
    ...line,
  };
  const stamp = [1, 2, 3, 4, startedAt] as const;
  return { kind: listedKind, run, files: [stamp, stamp, stamp], value };
}

export function tableOf(lines: readonly string[]): ListedTable {
  const all = new CatalogueLines(bytesIn(Buffer.from(lines.join(''))));
  return new ListedTable(all.pieces(listedKind));
}
