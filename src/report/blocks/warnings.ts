/** The warnings of a run: set aside, weak assumptions, orders left over, expectations, files cut short. */
import { onAccounts } from '../accounts.ts';
import { orphanLines, orphansHint, orphansWords } from '../orphans.ts';
import type { Summary } from '../summary.ts';
import { beginsWords, exceptionWords, gapWords } from '../words.ts';
import type { Fact } from './block.ts';

/** The warnings of a run: each says what is wrong, and why or where. */
export function warningsIn(summary: Summary): Fact[] {
  const { warnings, files, bases, orphans, playbook, setAside } = summary;
  return [
    ...(setAside === undefined
      ? []
      : [[setAside, 'it is not continued, and blocks no other run'] as const]),
    ...bases.flatMap(({ warning }): Fact[] => (warning ? [[warning.text, warning.because]] : [])),
    ...(orphans.length === 0 ? [] : [[orphansWords(orphans.length), orphansHint] as const]),
    ...orphanLines(orphans).map((line): Fact => ['no longer in the playbook', line]),
    ...warnings.map((warning): Fact => {
      const { address, message, line } = warning;
      const place = { code: `${playbook.file}:${line}` };
      return [message, ['expected of ', { code: address }, `${onAccounts([warning])} at `, place]];
    }),
    ...files.flatMap(({ file, exceptions = [] }): Fact[] =>
      exceptions.map((exception) => [`${file}: ${exceptionWords(exception)}`, 'see its manifest']),
    ),
    ...files.flatMap(({ file, clamped }): Fact[] => {
      if (clamped === undefined) return [];
      return [[`${file} ${beginsWords(clamped)}`, 'the exchange keeps no older data']];
    }),
    ...files.flatMap(({ file, continued }): Fact[] =>
      continued?.gaps === undefined ? [] : [[file, gapWords(continued.gaps)]],
    ),
  ];
}
