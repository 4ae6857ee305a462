/** `comment`: posts Markdown to the pull request of this pipeline; each file replaces its last comment. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { readArgument } from '../args/named-file.ts';
import { textIn } from '../../app/machine/text-in.ts';
import { putComment, reviewFrom } from '../pull-request/comments.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const { out, env } = context.terminal;
  const review = reviewFrom(env, (path) => JSON.parse(readRegularSync(path).toString('utf8')));
  for (const file of args.positionals) {
    const text = textIn(await readArgument(file, context.terminal), file);
    if (!/^<!-- deskhand:[a-z]+:\S+ -->\r?\n/.test(text)) {
      throw new UsageError(
        `${file} does not start with a marker, so its comment could not be found again`,
        'write it with -o markdown',
      );
    }
    const how = await putComment(review, text);
    out.line(`${plainText(file)}: ${how} comment on ${plainText(review.name)}`);
  }
  return exits.done;
}
