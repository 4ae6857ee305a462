/** `comment`: Markdown on the pull request of this pipeline, each file in place of its last. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { putComment, reviewFrom } from '../review/comments.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, ['text']);
  const { out, env } = context.terminal;
  const review = reviewFrom(env, (path) => JSON.parse(readFileSync(path, 'utf8')));
  for (const file of given.words) {
    const text = await readFile(file, 'utf8');
    if (!/^<!-- deskhand:[a-z]+:\S+ -->\r?\n/.test(text)) {
      throw new UsageError(
        `${file} does not begin with a marker, so nothing could find its comment again`,
        'write it with -o markdown',
      );
    }
    const how = await putComment(review, text);
    out.line(`${plainText(file)}: ${how} comment on ${plainText(review.name)}`);
  }
  return exits.done;
}
