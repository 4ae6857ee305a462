/** The readable part of a run with a damaged record. */
import { isRecord } from '../../base/json.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { isOperation, operationOf } from '../../exchange/api/operations/index.ts';
import type { Damage, PossibleWrite } from '../../app/running/damaged.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

const shownMax = 50; // writes listed

const words: Readonly<Record<PossibleWrite['known'], string>> = {
  done: 'recorded as done',
  refused: 'recorded as refused',
  unknown: 'sent; its outcome is not recorded',
  planned: 'in its plan; whether it was sent is not recorded',
};

export function damageLines(
  { run, lines, readable, written, writes, lookUp }: Damage,
  theme: Theme,
) {
  const { paint, glyphs } = theme;
  const all = written === undefined ? '' : `, ${count(written, 'entry', 'entries')} were written`;
  const rows = writes
    .slice(0, shownMax)
    .map((write) => [
      paint('strong', plainText(write.address, 60)),
      plainText(write.operation, 40),
      `${inputWords(write)}; ${words[write.known]}`,
    ]);
  const more = writes.length - rows.length;
  return [
    `${run}: ${readable} of ${count(lines, 'line')} can be read${all}`,
    writes.length === 0
      ? 'they name no order; this does not prove that none was placed'
      : `writes they name, which may exist on the exchange:`,
    ...columns(rows, theme, { indent: 2 }),
    ...(more > 0 ? [`  ${glyphs.dots} ${more} more`] : []),
    `${paint('strong', 'Look')}  what the exchange shows:`,
    ...lookUp.map((command) => `  ${paint('command', command)}`),
    `${paint('strong', 'Then')}  restore the run's files from a backup, or set the run aside:`,
    `  ${paint('command', `deskhand runs set-aside ${shellWord(run)} --reason "what you found"`)}`,
  ];
}

function inputWords({ operation, input }: PossibleWrite): string {
  if (!isRecord(input)) return '';
  const { symbol, side, size, price } = keyedWriteOf(operation)?.fields ?? usualFields;
  const key = isOperation(operation) ? operationOf(operation).key : undefined;
  const fields = [symbol, side, size, price, ...(key === undefined ? [] : [key])];
  const known = fields.flatMap((name) => {
    const value = input[name];
    if (typeof value !== 'string') return [];
    return name === price ? [`@ ${plainText(value, 40)}`] : [plainText(value, 60)];
  });
  return known.length === 0 ? plainText(JSON.stringify(input), 120) : known.join(' ');
}

const usualFields = { symbol: 'symbol', side: 'side', size: 'size', price: 'price' } as const;
