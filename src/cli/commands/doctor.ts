/** `doctor`: checks everything a run depends on, and suggests fixes. */
import type { ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { exitOf, type Finding } from '../../app/doctor/finding.ts';
import { findingsOf } from '../../app/doctor/findings.ts';
import type { DoctorOutput } from '../../app/documents/exchange.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const findings = await findingsOf(context, args.isOn('offline'));
  const exit = exitOf(findings);
  if (format === 'json') out.json({ version: 1, findings, exit } satisfies DoctorOutput);
  else out.line(textOf(findings, out.theme).join('\n'));
  return exit;
}

function textOf(findings: readonly Finding[], theme: Theme): string[] {
  const { paint, sign } = theme;
  const marks = {
    ok: sign('good'),
    warning: sign('warn'),
    failure: sign('bad'),
    unknown: sign('idle'),
  } as const;
  const rows = findings.flatMap(({ what, status, message, fix, profile }) => {
    const about = profile === undefined ? what : `${plainText(profile, 60)}: ${what}`;
    const row = [marks[status], about, plainText(message)];
    return fix === undefined ? [row] : [row, ['', '', paint('command', plainText(fix))]];
  });
  const many = (status: Finding['status']): number =>
    findings.filter((finding) => finding.status === status).length;
  const last = [
    count(many('failure'), 'failure'),
    count(many('warning'), 'warning'),
    `${many('unknown')} not checked`,
  ];
  return [...columns(rows, theme, { indent: 0 }), '', last.join(', ')];
}
