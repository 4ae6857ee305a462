/** `verify`: whether exported files are whole and complete, by the manifests beside them. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { checkFile, type CheckedFile } from '../../export/check.ts';
import type { Claim } from '../../export/claim.ts';
import { manifestEnding, type Clamp } from '../../export/manifest.ts';
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
      const { findings, unchecked, claim } = checked;
      const facts = { findings, unchecked, ...(claim && { manifest: claim.whole }) };
      const told = { version: 1, file, isWhole: findings.length === 0, ...facts };
      out.line(JSON.stringify(told));
    } else for (const line of linesOf(file, checked, out.look)) out.line(line);
  }
  return isWhole ? exits.done : exits.stopped;
}

function linesOf(file: string, { findings, unchecked, claim }: CheckedFile, look: Look): string[] {
  const name = plainText(file, 200);
  if (claim === undefined || findings.length > 0) {
    const head = `${look.paint('bad', look.glyphs.failed)} ${name} has ${count(findings.length, 'finding')}`;
    return [head, ...findings.map((finding) => `  ${plainText(finding)}`)];
  }
  const { rows, operation, covered, unique, clamps } = claim;
  const facts = [
    count(rows, 'row'),
    ...(operation === undefined ? [] : [plainText(operation, 60)]),
    ...spanOf(claim),
    ...(covered.length > 0 ? [`${count(covered.length, 'window')} without a hole`] : []),
    ...(unique.length > 0 && unchecked.length === 0 ? ['no row twice'] : []),
  ];
  const head = `${look.paint('good', look.glyphs.done)} ${name} is whole: ${facts.join(', ')}`;
  return [
    head,
    ...clamps.map((clamp) => `  ${look.paint('warn', '!')} ${clampLine(clamp)}`),
    ...unchecked.map((line) => `  ${look.paint('faint', `not checked: ${line}`)}`),
  ];
}

function spanOf({ covered }: Claim): string[] {
  const [first, last] = [covered[0], covered.at(-1)];
  return first && last ? [`${moment(first.from)} to ${moment(last.to)} UTC`] : [];
}

/** What was asked for and is not in the file, by no fault of the file. */
function clampLine({ bound, asked, used }: Clamp): string {
  return bound === 'from'
    ? `asked from ${moment(asked)}, begins at ${moment(used)}: the exchange keeps nothing older`
    : `asked until ${moment(asked)}, ends at ${moment(used)}: the rest was not over when it was read`;
}
