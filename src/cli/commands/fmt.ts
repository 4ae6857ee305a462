/** `fmt`: playbooks in their canonical layout, written back or only compared. */
import { ConfigError, exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { canonicalText } from '../../language/canonical.ts';
import type { Context, Args } from '../context.ts';
import { reportError } from '../exits.ts';
import { playbooksOf, readArgument } from '../args/named-file.ts';
import { textIn } from '../../app/machine/text-in.ts';
import { InvalidError } from '../../app/planning/invalid.ts';
import { rewriteFile } from '../args/rewrite.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { files } = await playbooksOf(args.positionals, context);
  const isCheck = args.isOn('check');
  const ends: End[] = [];
  for (const file of files) ends.push(await format(file, isCheck, context));
  const ofKind = (kind: End): number => ends.filter((end) => end === kind).length;
  const [changed, invalid] = [ofKind('changed'), ofKind('invalid')];
  if (!context.globals.isQuiet && !files.includes('-')) {
    const counts = `${count(files.length, 'file')}, ${changed} ${isCheck ? 'to change' : 'changed'}`;
    const rest = invalid === 0 ? '' : `, ${invalid} not valid`;
    context.terminal.err.line(counts + rest);
  }
  if (invalid > 0) return exits.invalid;
  return isCheck && changed > 0 ? exits.stopped : exits.done;
}

type End = 'formatted' | 'changed' | 'invalid';

/** Formats one file; its problems are reported, and the others are still formatted. */
async function format(file: string, isCheck: boolean, context: Context): Promise<End> {
  const { terminal } = context;
  let bytes: Buffer;
  let before: string;
  let after: string;
  try {
    bytes = await readArgument(file, terminal);
    before = textIn(bytes, file);
    after = canonicalText(before, file === '-' ? 'stdin' : file);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof InvalidError)) throw error;
    reportError(error, context);
    return 'invalid';
  }
  if (file === '-' && !isCheck) terminal.out.write(after);
  if (after === before) return 'formatted';
  if (file !== '-' && !isCheck) await rewriteFile(file, after, bytes);
  if (file !== '-' || isCheck) {
    terminal.out.line(`${isCheck ? 'would change' : 'changed'} ${plainText(file)}`);
  }
  return 'changed';
}
