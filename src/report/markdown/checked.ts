/** Validated playbooks as a comment for a pull request. */
import { signs } from '../../base/palette.ts';
import { count } from '../../base/text.ts';
import { fitted, type Block } from './fit.ts';
import { code, marker, moreIn, prose, tableHead, tableRow } from './text.ts';

/** A validated file, and its problems. */
export interface Checked {
  readonly file: string;
  readonly problems: readonly {
    readonly code: string;
    readonly level: 'error' | 'warning';
    readonly message: string;
    readonly hint?: string;
    readonly at: { readonly start: { readonly line: number; readonly column: number } };
  }[];
}

/** The comment, at most 60,000 characters: rows that do not fit are omitted completely and counted. */
export function checkedMarkdown(files: readonly Checked[]): string {
  const all = files.flatMap(({ file, problems }) => problems.map((it) => ({ ...it, file })));
  const errors = all.filter(({ level }) => level === 'error');
  const warnings = count(all.length - errors.length, 'warning');
  const verdict = errors.length === 0 ? 'no errors' : count(errors.length, 'error');
  const sign = errors.length === 0 ? signs.good.drawn : signs.bad.drawn;
  const where = count(files.length, 'playbook file');
  return fitted([
    marker('validate', 'all'),
    `### ${sign} ${where}: ${verdict}${all.length > errors.length ? `, ${warnings}` : ''}`,
    ...(all.length === 0 ? [] : [table([...errors, ...all.filter((it) => it.level !== 'error')])]),
    'Checked offline; nothing was sent.',
  ]);
}

function table(
  problems: readonly (Checked['problems'][number] & { readonly file: string })[],
): Block {
  return {
    head: tableHead(['', 'Where', 'Rule', 'What']),
    rows: problems.map(({ file, code: rule, level, message, hint, at: { start } }) =>
      tableRow([
        level === 'error' ? signs.bad.drawn : signs.warn.drawn,
        code(`${file}:${start.line}:${start.column}`),
        code(rule),
        hint === undefined ? prose(message) : `${prose(message)} (${prose(hint)})`,
      ]),
    ),
    more: moreIn('deskhand validate'),
  };
}
