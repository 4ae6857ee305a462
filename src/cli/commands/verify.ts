/** `verify`: whether exported files are whole and complete, by the manifests beside them. */
import { exits, type ExitCode } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { count, plainText } from '../../base/text.ts';
import { checkFile, type CheckedFile } from '../../export/check.ts';
import { manifestEnding } from '../../export/manifest.ts';
import { moment } from '../../report/words.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import type { Look } from '../screens/look.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  let isWhole = true;
  for (const word of given.words) {
    const file = word.endsWith(manifestEnding) ? word.slice(0, -manifestEnding.length) : word;
    const checked = await checkFile(file);
    isWhole &&= checked.findings.length === 0;
    if (format === 'json') {
      const told = { version: 1, file, isWhole: checked.findings.length === 0, ...checked };
      out.line(JSON.stringify(told));
    } else for (const line of linesOf(file, checked, out.look)) out.line(line);
  }
  return isWhole ? exits.done : exits.stopped;
}

function linesOf(
  file: string,
  { findings, unchecked, manifest }: CheckedFile,
  look: Look,
): string[] {
  const name = plainText(file, 200);
  if (findings.length > 0) {
    const head = `${look.paint('bad', look.glyphs.failed)} ${name} has ${count(findings.length, 'finding')}`;
    return [head, ...findings.map((finding) => `  ${plainText(finding)}`)];
  }
  const covered = fieldOf(manifest, 'covered');
  const windows = Array.isArray(covered) ? covered.length : 0;
  const facts = [
    count(Number(fieldOf(manifest, 'rows')), 'row'),
    ...wordAt(manifest, 'operation'),
    ...spanOf(manifest),
    ...(windows > 0 ? [`${count(windows, 'window')} without a hole`] : []),
    ...(Array.isArray(fieldOf(manifest, 'unique')) && unchecked.length === 0
      ? ['no row twice']
      : []),
  ];
  const head = `${look.paint('good', look.glyphs.done)} ${name} is whole: ${facts.join(', ')}`;
  return [
    head,
    ...clampLines(manifest).map((line) => `  ${look.paint('warn', '!')} ${line}`),
    ...unchecked.map((line) => `  ${look.paint('faint', `not checked: ${line}`)}`),
  ];
}

function wordAt(manifest: unknown, field: string): string[] {
  const value = fieldOf(manifest, field);
  return typeof value === 'string' ? [plainText(value, 60)] : [];
}

function spanOf(manifest: unknown): string[] {
  const covered = fieldOf(manifest, 'covered');
  if (!Array.isArray(covered) || covered.length === 0) return [];
  const [from, to] = [fieldOf(covered[0], 'from'), fieldOf(covered.at(-1), 'to')];
  return [`${moment(Number(from))} to ${moment(Number(to))} UTC`];
}

/** What was asked for and is not in the file, by no fault of the file. */
function clampLines(manifest: unknown): string[] {
  const clamps = fieldOf(manifest, 'clamps');
  if (!Array.isArray(clamps)) return [];
  return clamps.map((clamp: unknown) => {
    const at = (field: string): string => moment(Number(fieldOf(clamp, field)));
    return fieldOf(clamp, 'bound') === 'from'
      ? `asked from ${at('asked')}, begins at ${at('used')}: the exchange keeps nothing older`
      : `asked until ${at('asked')}, ends at ${at('used')}: the rest was not over when it was read`;
  });
}
