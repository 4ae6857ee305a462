/** `serve log`: lists the actions of people on the page of `serve`. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { AuditRow } from '../../serve/server/audit.ts';
import { sinceIn } from '../args/since.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import type { ServeLogOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { configToRead } from '../../app/config/opened.ts';

const shownMax = 200; // newest lines; -o json prints all

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out, err } = terminal;
  const format = outputOf(context, ['text', 'json']);
  const since = sinceIn(args.text('since'), clock.now());
  const { stateDir } = await configToRead(context);
  const { readAudit } = await import('../../serve/server/audit.ts');
  const { rows: all, damaged } = await readAudit(stateDir);
  const rows = all.filter(({ at }) => at >= since);
  if (format === 'json') {
    out.json({ version: 1, writes: rows, damaged } satisfies ServeLogOutput);
  } else if (rows.length === 0) {
    out.line('nothing was done from the page of `deskhand serve`');
  } else {
    const shown = rows.slice(-shownMax);
    if (shown.length < rows.length) out.line(`${rows.length - shown.length} older`);
    const cells = shown.map((row) => cellsOf(row, out.theme));
    out.line(columns(cells, out.theme, { indent: 0 }).join('\n'));
  }
  if (damaged > 0) err.line(`${err.theme.sign('warn')} ${count(damaged, 'line')} damaged`);
  return damaged > 0 ? exits.stopped : exits.done;
}

function cellsOf({ at, who, what, from, status, result }: AuditRow, { paint }: Theme): string[] {
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return [
    paint('faint', `${time}Z`),
    plainText(who, 60),
    plainText(what, 200),
    resultWords(status, result),
    paint('faint', plainText(from, 120)),
  ];
}

function resultWords(status: number | undefined, result = ''): string {
  if (status === undefined) return 'the server ended before it was done';
  return status === 200 ? 'done' : `refused: ${plainText(result, 160)}`;
}
