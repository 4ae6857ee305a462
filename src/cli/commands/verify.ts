/** `verify`: verifies exported files against their manifests. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { checkFile, type CheckedFile } from '../../engine/export/check.ts';
import type { Claim } from '../../engine/export/claim.ts';
import { manifestEnding, type Clamp } from '../../engine/export/manifest.ts';
import { exactTime, moment } from '../../report/words.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import type { VerifyOutput } from '../../app/documents/playbooks.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const files: VerifyOutput['files'][number][] = [];
  for (const word of args.positionals) {
    const file = word.endsWith(manifestEnding) ? word.slice(0, -manifestEnding.length) : word;
    const checked = await checkFile(file);
    const { findings, unchecked, claim } = checked;
    const facts = { findings, unchecked, ...(claim && { manifest: claim.whole }) };
    files.push({ file, isWhole: findings.length === 0, ...facts });
    if (format === 'text') for (const line of linesOf(file, checked, out.theme)) out.line(line);
  }
  const isWhole = files.every((each) => each.isWhole);
  const output: VerifyOutput = { version: 1, isWhole, files };
  if (format === 'json') out.json(output);
  return isWhole ? exits.done : exits.stopped;
}

function linesOf(
  file: string,
  { findings, unchecked, claim }: CheckedFile,
  theme: Theme,
): string[] {
  const name = plainText(file, 200);
  if (claim === undefined || findings.length > 0) {
    const head = `${theme.sign('bad')} ${name} has ${count(findings.length, 'finding')}`;
    return [head, ...findings.map((finding) => `  ${plainText(finding)}`)];
  }
  const { rows, operation, covered, unique, clamps } = claim;
  const facts = [
    count(rows, 'row'),
    ...(operation === undefined ? [] : [plainText(operation, 60)]),
    ...spanOf(claim),
    ...(covered.length > 0 ? [`${count(covered.length, 'window')} without gaps`] : []),
    ...(unique.length > 0 && unchecked.length === 0 ? ['no duplicate rows'] : []),
  ];
  const head = `${theme.sign('good')} ${name} is whole: ${facts.join(', ')}`;
  return [
    head,
    ...clamps.map((clamp) => `  ${theme.sign('warn')} ${clampLine(clamp)}`),
    ...unchecked.map((line) => `  ${theme.paint('faint', `not checked: ${line}`)}`),
  ];
}

function spanOf({ covered }: Claim): string[] {
  const [first, last] = [covered[0], covered.at(-1)];
  return first && last ? [`${moment(first.from)} to ${moment(last.to)} UTC`] : [];
}

/**
 * The line for a requested bound that the file does not cover, because the data was not available.
 */
function clampLine({ bound, asked, used }: Clamp): string {
  return bound === 'from'
    ? `requested from ${exactTime(asked)}, begins at ${exactTime(used)} UTC: the exchange keeps no older data`
    : `requested until ${exactTime(asked)}, ends at ${exactTime(used)} UTC: the rest was in the future`;
}
