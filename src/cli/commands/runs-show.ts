/** `runs show`: one run, told from its journal. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText, spoken } from '../../base/text.ts';
import type { Entry } from '../../journal/entry.ts';
import { readRun } from '../../journal/runs.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import { timeOf } from '../../report/words.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { columns } from '../screens/columns.ts';
import { headerLine } from '../screens/header.ts';
import type { Look } from '../screens/look.ts';
import { stepText, widthsOf } from '../screens/step-text.ts';
import { summaryLines } from '../screens/summary.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'ndjson']);
  const { stateDir } = await configOf(context);
  const entries = await readRun(stateDir, given.words[0] ?? '');
  switch (format) {
    case 'ndjson':
      for (const entry of entries) out.line(JSON.stringify({ version: 1, ...entry }));
      break;
    case 'json':
      out.line(JSON.stringify({ version: 1, entries }));
      break;
    case 'text': {
      const lines = given.isOn('requests')
        ? requestLines(entries, out.look)
        : tell(entries, out.look);
      out.line(lines.join('\n'));
    }
  }
  return exits.done;
}

function tell(entries: readonly Entry[], look: Look): string[] {
  const [started] = entries;
  if (started?.kind !== 'started') return ['the run ended before its first entry was written'];
  const summary = summaryOf(entries);
  return [
    headerLine(started, look),
    '',
    ...stepLines(summary, look),
    '',
    ...summaryLines(summary, look),
  ];
}

function stepLines({ steps }: Summary, look: Look): string[] {
  const widths = widthsOf(steps);
  return steps.flatMap((step) => stepText(step, widths, look));
}

/** Every request: when, for what, and how it was answered. */
function requestLines(entries: readonly Entry[], look: Look): string[] {
  const rows = entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'intended':
        return [
          [
            timeOf(entry.at),
            'sent',
            entry.operation,
            plainText(entry.address, 80),
            plainText(JSON.stringify(entry.input)),
          ],
        ];
      case 'answered': {
        const { at, operation, address, status, code, ms, attempt, count = 1 } = entry;
        const which = count === 1 ? `attempt ${attempt}` : `${count} answers alike`;
        const words = `${status} ${plainText(code, 20)} after ${spoken(ms)}, ${which}`;
        return [[timeOf(at), 'answer', operation, plainText(address, 80), words]];
      }
      default:
        return [];
    }
  });
  return rows.length === 0 ? ['no request was made'] : columns(rows, look, { indent: 0 });
}
