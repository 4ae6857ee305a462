/** `store restored`: a person reports that the database lacks lines it had confirmed. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { openRuns } from '../../stores/databases.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { databaseUrl, requireDatabase } from '../../app/store/database.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { exchangeTime } from '../../app/accounts/work.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const config = await configOf(context);
  const state = requireDatabase(config);
  if (!args.isOn('yes')) {
    throw new UsageError(
      'runs in progress stop, and every run that was planned before looks up its writes first',
      'if the database was restored from a backup or a dump: deskhand store restored --yes',
    );
  }
  const url = await databaseUrl(state.url, context);
  const now = await exchangeTime(profileOf(context, config), config, context);
  const runs = await openRuns(state.store, { url: url.reveal(), lease: state.lease });
  try {
    await runs.restored(now);
  } finally {
    await runs.close();
  }
  context.terminal.out.line(
    'recorded: runs planned before now look up every write before they send',
  );
  return exits.done;
}
