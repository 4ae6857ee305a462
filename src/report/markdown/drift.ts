/** What drifted as a comment for a pull request or an issue. */
import { count } from '../../base/text.ts';
import type { Destination } from '../../journal/entry.ts';
import { isDifference, type DriftLine } from '../../plan/drift.ts';
import { fitted } from './fit.ts';
import { code, marker, prose, tableRow } from './text.ts';

/** One playbook on one account. */
export interface Drift {
  readonly playbook: string;
  readonly file: string;
  readonly destination: Destination;
  readonly lines: readonly DriftLine[];
  /** Runs of it that went to other accounts and were not looked at. */
  readonly elsewhere: number;
}

/** At most 60,000 characters: rows that do not fit are left out whole and counted. */
export function driftMarkdown({ playbook, file, destination, lines, elsewhere }: Drift): string {
  const differences = lines.filter(isDifference);
  const told = [...differences, ...lines.filter(({ kind }) => kind === 'unreadable')];
  const same = lines.filter(({ kind }) => kind === 'same').length;
  const beside =
    elsewhere === 0 ? '' : ` ${count(elsewhere, 'run')} on other accounts not looked at.`;
  return fitted([
    marker('drift', file),
    `### ${differences.length === 0 ? '✔' : '✖'} ${prose(playbook)}: ${count(differences.length, 'difference')}`,
    `**${destination.target === 'live' ? 'LIVE' : 'SANDBOX'}** ${code(destination.profile)} · ${code(file)} · ${same} as recorded, ${told.length - differences.length} cannot be read back.${beside}`,
    ...(told.length === 0
      ? []
      : [
          {
            head: [
              tableRow(['', 'Step', 'Recorded', 'Shown now']),
              tableRow(['---', '---', '---', '---']),
            ],
            more: (left: number) =>
              `${count(left, 'more row')} left out here; «deskhand drift» shows them all.`,
            rows: told.map(({ kind, run, address, recorded, shown }) =>
              tableRow([
                kind === 'unreadable' ? 'cannot be read' : `**${kind}**`,
                run === undefined ? '' : `${code(address ?? '')} ${code(run)}`,
                prose(recorded),
                prose(shown),
              ]),
            ),
          },
        ]),
  ]);
}
