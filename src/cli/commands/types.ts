/** `types`: prints the inputs and outputs of a playbook as declarations of TypeScript. */
import { exits, type ExitCode } from '../../base/error.ts';
import { configToRead } from '../../app/config/opened.ts';
import { loadTyped } from '../../app/planning/typed.ts';
import { typescriptOf } from '../../language/typescript.ts';
import { readArgument } from '../args/named-file.ts';
import type { Context, Args } from '../context.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const path = args.positionals[0] ?? '';
  const bytes = await readArgument(path, context.terminal);
  const { playbook, file, outputs } = loadTyped(bytes, path, await configToRead(context), context);
  context.terminal.out.line(typescriptOf(playbook, file, outputs).trimEnd());
  return exits.done;
}
