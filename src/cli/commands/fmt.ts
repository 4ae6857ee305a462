/** `fmt`: playbooks in their canonical layout, written back or only compared. */
import { writeFile } from 'node:fs/promises';
import { exits, type ExitCode } from '../../base/error.ts';
import { count } from '../../base/text.ts';
import { canonicalText } from '../canonical.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { playbooksHere, readGiven } from '../files.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal, globals } = context;
  outputOf(context, ['text']);
  const files = given.words.length > 0 ? given.words : await playbooksHere();
  const isCheck = given.isOn('check');
  let changed = 0;
  for (const file of files) {
    const before = (await readGiven(file, terminal)).toString('utf8');
    const after = canonicalText(before, file);
    if (file === '-' && !isCheck) terminal.out.write(after);
    if (after === before) continue;
    changed += 1;
    if (file !== '-' && !isCheck) await writeFile(file, after);
    if (file !== '-' || isCheck)
      terminal.out.line(`${isCheck ? 'would change' : 'changed'} ${file}`);
  }
  if (!globals.isQuiet && !files.includes('-')) {
    terminal.err.line(
      `${count(files.length, 'file')}, ${changed} ${isCheck ? 'to change' : 'changed'}`,
    );
  }
  return isCheck && changed > 0 ? exits.stopped : exits.done;
}
