/** `drift`: compares the ledger with the current state of the exchange; it only reads. */
import { exits, type DeskhandError, type ExitCode } from '../../base/error.ts';
import { redactor } from '../../base/secret.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { configOf } from '../../app/config/opened.ts';
import type { DriftOutput } from '../../app/documents/run-document.ts';
import { driftsOf } from '../../app/drift/drifts.ts';
import { driftMarks, reportDrifts } from '../../app/drift/reported.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { isDifference, type DriftLine } from '../../engine/plan/drift.ts';
import type { Playbook } from '../../language/playbook.ts';
import { allAccounts, onAccounts } from '../../report/accounts.ts';
import {
  driftMarkdown,
  notComparedMarkdown,
  type Drift,
} from '../../report/markdown/drift-comment.ts';
import { orphansHint, orphansWords } from '../../report/orphans.ts';
import { badge } from '../../report/terminal/badge.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { playbooksOf } from '../args/named-file.ts';
import { loadArguments } from '../args/playbook-argument.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { appendToPage, writeJson } from '../running/documents.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const config = await configOf(context);
  const { files } = await playbooksOf(args.positionals, context);
  const load = (file: string): Promise<Playbook> => loadArguments(file, config, context);
  const { drifts, invalid } = await stoppable(context, ({ drain }) =>
    driftsOf(files, load, config, drain, context),
  );
  await reportDrifts(drifts, config, context);
  const isSame = drifts.every(({ lines }) => !lines.some(isDifference));
  const isWhole = drifts.every(({ damages }) => damages.length === 0);
  const [first] = invalid;
  const exit =
    first?.error.exit ?? (isWhole ? (isSame ? exits.done : exits.changes) : exits.stopped);
  const notCompared = invalid.map(({ file, error }) => ({ file, error: wordsOf(error, context) }));
  const data: DriftOutput = {
    version: 1,
    isSame,
    playbooks: drifts,
    ...(notCompared.length > 0 && { invalid: notCompared }),
    exit,
  };
  await writeJson(data, context);
  const comments = (): string =>
    [
      ...drifts.map(driftMarkdown),
      ...notCompared.map(({ file, error }) => notComparedMarkdown(file, error.message)),
    ].join('\n');
  await appendToPage(comments, context);
  if (format === 'json') out.json(data);
  if (format === 'markdown') out.line(comments().trimEnd());
  if (format === 'text') {
    for (const drift of drifts) out.line(textOf(drift, out.theme).join('\n'));
    for (const { file, error } of notCompared) {
      out.line(
        `${out.theme.paint('bad', 'not compared')}  ${plainText(file)}: ${plainText(error.message)}`,
      );
    }
  }
  return exit;
}

/** An error as text, without secrets. */
function wordsOf(
  { code, message, hint }: DeskhandError,
  { secrets }: Context,
): NonNullable<DriftOutput['invalid']>[number]['error'] {
  const redact = redactor(secrets);
  return { code, message: redact(message), ...(hint !== undefined && { hint: redact(hint) }) };
}

function textOf(drift: Drift, theme: Theme): string[] {
  const { playbook, file, destination, lines, older, elsewhere: away, damages } = drift;
  const { paint } = theme;
  const listed = lines.filter(({ kind }) => kind !== 'same');
  const same = lines.filter(({ kind }) => kind === 'same');
  const rows = listed.map((line) => [
    paint(toneOf(line), driftMarks[line.kind]),
    `${plainText(line.address ?? '', 60)}${onAccounts([line])}`.trim(),
    plainText(line.run ?? '', 40),
    `${plainText(line.recorded, 160)}; now ${plainText(line.shown, 160)}`,
  ]);
  const head = `${badge(destination.target, theme)} ${allAccounts(drift)}  ${paint('strong', plainText(playbook, 60))}  ${plainText(file, 120)}`;
  const differences = lines.filter(isDifference);
  const orphaned = lines.filter(({ kind }) => kind === 'orphaned').length;
  const sums = [
    count(differences.length, 'difference'),
    `${same.length} as recorded${onAccounts(same)}`,
    `${listed.length - differences.length} cannot be read back`,
    ...(older === 0 ? [] : [`${count(older, 'order')} older than what the exchange lists`]),
    ...(away === 0 ? [] : [`${count(away, 'run')} on other accounts not checked`]),
  ];
  return [
    head,
    ...columns(rows, theme, { indent: 2 }),
    ...damages.map((damage) => `  ${paint('bad', 'damaged')}  ${plainText(damage)}`),
    `  ${sums.join(drift.accounts === undefined ? ', ' : '; ')}`,
    ...(orphaned === 0 ? [] : [`  ${orphansWords(orphaned)}: ${orphansHint}`]),
    ...nextLines(differences, theme),
  ];
}

function toneOf(line: DriftLine): 'bad' | 'doubt' | 'faint' {
  if (line.kind === 'doubt') return 'doubt';
  return isDifference(line) ? 'bad' : 'faint';
}

/** The commands that settle the writes in doubt. */
function nextLines(differences: readonly DriftLine[], theme: Theme): string[] {
  const runs = new Set(
    differences.flatMap(({ kind, run: id }) => (kind === 'doubt' && id ? [id] : [])),
  );
  return [...runs].map(
    (id) => `  ${theme.paint('command', `deskhand resume ${shellWord(id)}`)}  settles doubts`,
  );
}
