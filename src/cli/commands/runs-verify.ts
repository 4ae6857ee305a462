/** `runs verify`: whether a run's journal and its files are unchanged. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { verifyFile } from '../../engine/export/verify.ts';
import { readRunText } from '../../engine/journal/runs.ts';
import { verifyJournal, type Finding, type Numbered } from '../../engine/journal/verify.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { runNamed } from '../args/run-name.ts';
import { fetchUnknown } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import type { RunsVerifyOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const { theme } = out;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const { stateDir } = config;
  const record = await readRunText(
    stateDir,
    await runNamed(stateDir, args.positionals[0] ?? '', (id) => fetchUnknown(config, context, id)),
  );
  const { entries, findings: ofLines } = verifyJournal(record);
  const files = lastWritten(entries);
  const ofFiles = await Promise.all(files.map(fileFinding));
  const findings = [...ofLines, ...ofFiles.filter((finding) => finding !== undefined)];
  const { run: id } = record.header;
  if (format === 'json') {
    const counts = { entries: entries.length, files: files.length };
    const isWhole = findings.length === 0;
    out.json({ version: 1, run: id, isWhole, ...counts, findings } satisfies RunsVerifyOutput);
  } else if (findings.length === 0) {
    const what = [count(entries.length, 'entry', 'entries'), count(files.length, 'file')];
    out.line(`${theme.sign('good')} ${id} is intact: ${what.join(', ')}`);
  } else {
    const rows = findings.map(({ line: at, message }) => [
      `${record.path}:${at}`,
      plainText(message),
    ]);
    out.line(columns(rows, theme, { indent: 0 }).join('\n'));
    out.line(`${theme.sign('bad')} ${id} has ${count(findings.length, 'finding')}`);
  }
  return findings.length === 0 ? exits.done : exits.stopped;
}

interface WrittenFile {
  readonly line: number;
  readonly file: string;
  readonly sha256: string;
}

/** The last file of each path: a repeated step overwrote its earlier file. */
function lastWritten(entries: readonly Numbered[]): readonly WrittenFile[] {
  const files = new Map<string, WrittenFile>();
  for (const { line, entry } of entries) {
    if (entry.kind === 'wrote') files.set(entry.file, { line, ...entry });
  }
  return [...files.values()];
}

async function fileFinding({ line, file, sha256 }: WrittenFile): Promise<Finding | undefined> {
  const found = await verifyFile(file);
  if (found.kind !== 'whole') return { line, message: `${file}: ${found.because}` };
  if (found.claim.sha256 === sha256) return undefined;
  return { line, message: `${file}: it was overwritten later by another program` };
}
