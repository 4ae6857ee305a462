/** `runs verify`: whether a run's journal, and the files it names, are as they were written. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { verifyFile } from '../../export/verify.ts';
import { readRunText } from '../../journal/runs.ts';
import { verifyJournal, type Finding, type Numbered } from '../../journal/verify.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { columns } from '../screens/columns.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const { look } = out;
  const format = outputOf(context, ['text', 'json']);
  const { stateDir } = await configOf(context);
  const told = await readRunText(stateDir, given.words[0] ?? '');
  const { entries, findings: ofLines } = verifyJournal(told);
  const files = lastWritten(entries);
  const ofFiles = await Promise.all(files.map(fileFinding));
  const findings = [...ofLines, ...ofFiles.filter((finding) => finding !== undefined)];
  const { run: id } = told.header;
  if (format === 'json') {
    const counts = { entries: entries.length, files: files.length };
    out.line(
      JSON.stringify({ version: 1, run: id, isWhole: findings.length === 0, ...counts, findings }),
    );
  } else if (findings.length === 0) {
    const what = [count(entries.length, 'entry', 'entries'), count(files.length, 'file')];
    out.line(`${look.paint('good', look.glyphs.done)} ${id} is whole: ${what.join(', ')}`);
  } else {
    const rows = findings.map(({ line: at, message }) => [
      `${told.path}:${at}`,
      plainText(message),
    ]);
    out.line(columns(rows, look, { indent: 0 }).join('\n'));
    out.line(
      `${look.paint('bad', look.glyphs.failed)} ${id} has ${count(findings.length, 'finding')}`,
    );
  }
  return findings.length === 0 ? exits.done : exits.stopped;
}

interface WrittenFile {
  readonly line: number;
  readonly file: string;
  readonly sha256: string;
}

/** A step that was done again wrote its file again. */
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
  return { line, message: `${file}: it was written again since, by something else` };
}
