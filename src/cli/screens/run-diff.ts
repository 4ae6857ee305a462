/** The screen of `runs diff`: both runs, what differs in each part, and how long they took. */
import { count, plainText, shellWord, spoken } from '../../base/text.ts';
import { differenceWords, isSlower, partNames } from '../../report/diff-words.ts';
import {
  diffParts,
  type ComparedRun,
  type RunDiff,
  type RunDifference,
} from '../../report/run-diff.ts';
import { stateWord, toneOf } from '../../report/states.ts';
import { badge } from '../../report/terminal/badge.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { moment } from '../../report/words.ts';

export function runDiffLines(diff: RunDiff, theme: Theme): string[] {
  const { runs, differences, isSame } = diff;
  const parts = diffParts.flatMap((part) => {
    const own = differences.filter((each) => each.part === part);
    return own.length === 0 ? [] : [heading(partNames[part], theme), ...rowsOf(own, theme), ''];
  });
  const [a, b] = runs;
  return [
    ...columns(
      runs.map((run, at) => runCells(run, at, theme)),
      theme,
      { indent: 0 },
    ),
    ...runs.flatMap((run) => notFinal(run, theme)),
    '',
    ...parts,
    ...durationLines(diff, theme),
    isSame ? `${theme.sign('good')} only times differ` : differenceWords(diff),
    `${theme.paint('strong', 'Next')}  ${[a, b].map(({ run }) => theme.paint('command', `deskhand runs show ${shellWord(run)}`)).join('   ')}`,
  ];
}

function heading(name: string, theme: Theme): string {
  return theme.paint('strong', name);
}

function runCells(run: ComparedRun, at: number, theme: Theme): readonly string[] {
  const tone = toneOf(run.status);
  return [
    at === 0 ? '-' : '+',
    badge(run.target, theme),
    theme.paint('strong', run.run),
    run.playbook,
    theme.paint(tone, `${theme.sign(tone)} ${stateWord(run.status)}`),
    `${moment(run.startedAt)} UTC, took ${spoken(run.tookMs)}, ${count(run.requests, 'request')}`,
  ];
}

/** A run that may still change, or whose outcome nobody knows. */
function notFinal({ run, notFinal: why }: ComparedRun, theme: Theme): readonly string[] {
  if (why === undefined) return [];
  return [`${theme.sign('warn')} ${run}: ${why}; the comparison may change`];
}

function rowsOf(differences: readonly RunDifference[], theme: Theme): string[] {
  const { arrow } = theme.glyphs;
  const rows = differences.map(({ what, was, is }) => {
    if (was === undefined) return ['+', plainText(what, 160), is ?? ''];
    if (is === undefined) return ['-', plainText(what, 160), was];
    return ['~', plainText(what, 160), `${was} ${arrow} ${is}`];
  });
  return columns(rows, theme, { indent: 2 });
}

/** Steps whose durations differ by a second or more; `-o json` has all of them. */
function durationLines({ durations }: RunDiff, theme: Theme): string[] {
  const slow = durations.filter(isSlower);
  if (slow.length === 0) return [];
  const words = (ms: number | undefined): string => (ms === undefined ? 'not run' : spoken(ms));
  const rows = slow.map(({ step, was, is }) => [
    '~',
    step,
    `${words(was)} ${theme.glyphs.arrow} ${words(is)}`,
  ]);
  return [heading('Durations', theme), ...columns(rows, theme, { indent: 2 }), ''];
}
