/** `approve --enroll`: makes a passkey on a page of this machine, and prints its line. */
import { second } from '../../base/clock.ts';
import type { ExitCode } from '../../base/error.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { serveDesks } from '../commands/serve.ts';

/**
 * Makes a passkey and saves nothing: the line counts when it is committed to the file of passkeys.
 */
export async function enroll(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const { out, err } = context.terminal;
  const done = new AbortController();
  return serveDesks(context, args, {
    path: '/passkeys',
    done: done.signal,
    onEnrolled: (line) => {
      if (format === 'json') out.json(JSON.parse(line));
      else out.line(line);
      err.line('add this line to the list in passkeys.json, and get the commit reviewed');
      void context.clock.sleep(second).then(() => done.abort()); // the page gets its answer first
    },
  });
}
