/** Drift as a comment for a pull request or an issue. */
import { signs } from '../../base/palette.ts';
import { count } from '../../base/text.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { isDifference, type DriftLine } from '../../engine/plan/drift.ts';
import { allAccounts, onAccounts } from '../accounts.ts';
import { orphansHint, orphansWords } from '../orphans.ts';
import { fitted } from './fit.ts';
import { code, marker, moreIn, prose, tableHead, tableRow } from './text.ts';
import { targetWord } from '../states.ts';

/** The drift of one playbook on one account. */
export interface Drift {
  readonly playbook: string;
  readonly file: string;
  readonly destination: Destination;
  /** Accounts, besides that of the playbook, that its runs wrote to. */
  readonly accounts?: readonly Destination[];
  readonly lines: readonly DriftLine[];
  /** Number of orders that are older than what the exchange lists, and are not open: they were not compared. */
  readonly older: number;
  /** Number of runs on other accounts, which were not checked. */
  readonly elsewhere: number;
  /** Problems of records that could not be read completely: their orders may be missing here. */
  readonly damages: readonly string[];
}

/** The comment about a playbook that is not valid, and was not compared. */
export function notComparedMarkdown(file: string, because: string): string {
  const title = `### ${signs.bad.drawn} ${code(file)}: not compared`;
  return fitted([marker('drift', file), title, prose(because)]);
}

const damagesMax = 20; // the others are printed on the screen

/** The comment, at most 60,000 characters: rows that do not fit are omitted completely and counted. */
export function driftMarkdown(drift: Drift): string {
  const { playbook, file, destination, lines, older, elsewhere, damages } = drift;
  const differences = lines.filter(isDifference);
  const listed = [...differences, ...lines.filter(({ kind }) => kind === 'unreadable')];
  const same = lines.filter(({ kind }) => kind === 'same');
  const isMany = drift.accounts !== undefined;
  const orphaned = lines.filter(({ kind }) => kind === 'orphaned').length;
  const past = older === 0 ? '' : ` ${count(older, 'order')} older than what the exchange lists.`;
  const beside =
    elsewhere === 0 ? '' : ` ${count(elsewhere, 'run')} on other accounts not checked.`;
  return fitted([
    marker('drift', file),
    `### ${differences.length + damages.length === 0 ? signs.good.drawn : signs.bad.drawn} ${prose(playbook)}: ${count(differences.length, 'difference')}`,
    `**${targetWord(destination.target)}** ${code(allAccounts(drift))} · ${code(file)} · ${same.length} as recorded${prose(onAccounts(same))}, ${listed.length - differences.length} cannot be read back.${past}${beside}`,
    ...(orphaned === 0 ? [] : [`**${prose(orphansWords(orphaned))}**: ${prose(orphansHint)}`]),
    ...damages.slice(0, damagesMax).map((damage) => `**damaged** ${prose(damage)}`),
    ...(listed.length === 0
      ? []
      : [
          {
            head: tableHead(['', 'Step', ...(isMany ? ['Account'] : []), 'Recorded', 'Shown now']),
            more: moreIn('deskhand drift'),
            rows: listed.map(({ kind, run, address, account = '', recorded, shown }) =>
              tableRow([
                kind === 'unreadable' ? 'cannot be read' : `**${kind}**`,
                run === undefined ? '' : `${code(address ?? '')} ${code(run)}`,
                ...(isMany ? [code(account)] : []),
                prose(recorded),
                prose(shown),
              ]),
            ),
          },
        ]),
  ]);
}
