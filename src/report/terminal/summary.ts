/** The last screen of a run: done, refused, in doubt, not sent, and the next command. */
import { signs } from '../../base/palette.ts';
import { plainText, spoken, count } from '../../base/text.ts';
import { allAccounts, onAccounts } from '../accounts.ts';
import { groupLines } from '../achievements.ts';
import { doubtRows } from '../blocks/doubt.ts';
import { stopPlace } from '../blocks/excerpt.ts';
import { noDoubtWords, openWords } from '../sentences.ts';
import { outputWords } from '../named-outputs.ts';
import { toneOf } from '../states.ts';
import { ownPlaybook } from '../stop.ts';
import type { Summary } from '../summary.ts';
import {
  beginsWords,
  continuedWords,
  exceptionWords,
  gapWords,
  rangeWords,
  sizeOf,
} from '../words.ts';
import { badge } from './badge.ts';
import { columns, wrapped } from './columns.ts';
import { guardSummary } from './guards.ts';
import type { Theme } from './theme.ts';
import { orphanedLines } from './plan-screen.ts';

/** The five questions of a summary with answers. */
export function summaryLines(summary: Summary, theme: Theme): string[] {
  return [
    headline(summary, theme),
    ...asideLines(summary, theme),
    ...stopLines(summary, theme),
    ...doubtLines(summary, theme),
    ...basisLines(summary, theme),
    '',
    ...columns(answers(summary, theme), theme, { indent: 2 }),
    ...fileLines(summary, theme),
    ...outputRows(summary, theme),
    ...orphanedLines(summary, theme),
    '',
    ...nextLines(summary.next, theme),
  ];
}

/** Commands to continue with, one below another. */
export function nextLines(next: Summary['next'], theme: Theme): string[] {
  const rows = next.map(({ command, why }, index) => [
    index === 0 ? theme.paint('strong', 'Next') : '',
    theme.paint('command', command),
    why,
  ]);
  return columns(rows, theme, { indent: 2, below: 8 }); // below the command, and further in
}

function headline(summary: Summary, theme: Theme): string {
  const { status, headline: text, requests, retries, destination } = summary;
  const tone = toneOf(status);
  const sentence = `${signs[tone][theme.style]} ${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const facts = [
    count(requests, 'request'),
    ...(retries > 0 ? [count(retries, 'retry', 'retries')] : []),
    openWords(summary),
  ];
  const where = `${badge(destination.target, theme)} ${allAccounts(summary)}`;
  return `${theme.paint(tone, sentence)}  ${facts.filter((words) => words !== '').join(', ')}  ${where}`;
}

function asideLines({ setAside }: Summary, theme: Theme): string[] {
  if (setAside === undefined) return [];
  return wrapped(`! ${setAside}`, theme, 2).map((line) => theme.paint('warn', line));
}

function stopLines({ stop }: Summary, theme: Theme): string[] {
  if (stop === undefined) return [];
  const { paint } = theme;
  const by = {
    exchange: 'refused by the exchange',
    deskhand: 'failed',
    expectation: 'differs from the expectation',
  };
  return [
    `  ${paint('strong', stop.address)}${onAccounts([stop])} ${by[stop.by]}${stop.what === undefined ? '' : `: ${stop.what}`}`,
    `  ${paint('bad', [stop.code, stop.message].filter((text) => text !== '').join('  '))}`,
    ...(stop.hint === undefined ? [] : [`  ${paint('command', 'help')}  ${plainText(stop.hint)}`]),
    ...(stop.file === ownPlaybook ? [] : [`  ${paint('faint', stopPlace(stop))}`]),
  ];
}

function doubtLines({ inDoubt }: Summary, theme: Theme): string[] {
  if (inDoubt.length === 0) return [];
  const { paint } = theme;
  const lines = inDoubt.flatMap((doubt) => {
    const { what, clientOid } = doubt;
    const name = clientOid === undefined ? '' : `  clientOid ${paint('strong', clientOid)}`;
    const rows = doubtRows(doubt).map(([label, text]) => [paint('faint', label), text]);
    return [`  ${theme.sign('doubt')} ${what}${name}`, ...columns(rows, theme, { indent: 4 })];
  });
  const isOne = inDoubt.length === 1;
  const last = isOne
    ? 'It may or may not have happened. It is not sent again until its outcome is known.'
    : 'Each may or may not have happened. None is sent again until its outcome is known.';
  return [...lines, `  ${paint('strong', last)}`];
}

function basisLines({ bases }: Summary, { paint }: Theme): string[] {
  return bases.flatMap(({ warning }) =>
    warning === undefined
      ? []
      : [`  ${paint('warn', `! ${warning.text}`)}`, `    ${paint('faint', warning.because)}`],
  );
}

function answers(summary: Summary, theme: Theme): string[][] {
  const { paint, sign } = theme;
  const named = (name: string, rows: string[][]): string[][] =>
    rows.map(([...cells], index) => [index === 0 ? paint('strong', name) : '', ...cells]);
  const none = (text: string): string[][] => [[paint('faint', text), '']];
  const { done, refused, inDoubt, notSent, skipped } = summary;
  return [
    ...named(
      'Done',
      done.length === 0
        ? none('nothing')
        : groupLines(done).map(({ text, detail }) => [`${sign('good')} ${text}`, detail]),
    ),
    ...named(
      'Refused',
      refused.length === 0
        ? none('none')
        : refused.map(({ what, code, message }) => [
            `${sign('bad')} ${what}`,
            `${code} ${message}`.trim(),
          ]),
    ),
    ...named(
      'In doubt',
      inDoubt.length === 0
        ? none(noDoubtWords(summary))
        : inDoubt.map(({ what, address }) => [`${sign('doubt')} ${what}`, address]),
    ),
    ...named(
      'Not sent',
      notSent.length === 0
        ? none('none')
        : groupLines(notSent).map(({ text, detail }) => [`${sign('idle')} ${text}`, detail]),
    ),
    ...named(
      'Skipped',
      skipped.map(({ text, detail }) => [`${sign('idle')} ${text}`, detail]),
    ),
  ];
}

const outputsMax = 20; // of a screen; `runs outputs` has them all

function outputRows({ outputs }: Summary, theme: Theme): string[] {
  if (outputs.length === 0) return [];
  const rows = outputs
    .slice(0, outputsMax)
    .map((line, index) => [
      index === 0 ? theme.paint('strong', 'Outputs') : '',
      plainText(line.name, 80),
      outputWords(line, 120),
    ]);
  const left = outputs.length - rows.length;
  const more = left > 0 ? [`  and ${count(left, 'more output')}: see runs outputs`] : [];
  return ['', ...columns(rows, theme, { indent: 2 }), ...more];
}

function fileLines(summary: Summary, theme: Theme): string[] {
  const { files, warnings, longestWait, guards } = summary;
  const { paint, glyphs, sign } = theme;
  const written = files.map((line) => [
    `${glyphs.arrow} ${line.file}`,
    [
      count(line.rows, 'row'),
      ...(line.continued ? [continuedWords(line.continued)] : []),
      sizeOf(line.bytes),
    ].join(', '),
    onAccounts([line]).trim(),
    line.range === undefined ? '' : paint('faint', rangeWords(line.range)),
  ]);
  const said = [
    ...files.flatMap(({ file, exceptions = [] }) =>
      exceptions.flatMap((exception) =>
        wrapped(`! ${file}: ${exceptionWords(exception)}`, theme, 2),
      ),
    ),
    ...files.flatMap(({ file, clamped }) => {
      if (clamped === undefined) return [];
      return wrapped(
        `! ${file} ${beginsWords(clamped)}: the exchange keeps no older data`,
        theme,
        2,
      );
    }),
    ...files.flatMap(({ file, continued }) =>
      continued?.gaps === undefined
        ? []
        : wrapped(`! ${file}: ${gapWords(continued.gaps)}`, theme, 2),
    ),
    ...warnings.map(
      (warning) =>
        `  ${sign('warn')} ${warning.address}${onAccounts([warning])}: ${warning.message}`,
    ),
    ...(longestWait === undefined || longestWait.ms < 1_000
      ? []
      : [
          `  ${paint('faint', `longest wait ${spoken(longestWait.ms)}, ${longestWait.why} (${longestWait.address}${onAccounts([longestWait])})`)}`,
        ]),
    ...guardSummary(guards, theme),
  ];
  const lines = [...columns(written, theme, { indent: 2 }), ...said];
  return lines.length === 0 ? [] : ['', ...lines];
}
