/** `store upgrade`: creates the tables of a shared database, or brings them to this version. */
import { exits, type ExitCode } from '../../base/error.ts';
import { upgradePostgres } from '../../state-store/postgres/upgrade.ts';
import { outputOf, type Context } from '../context.ts';
import { databaseUrl, requireDatabase } from '../session/database.ts';
import { configOf } from '../session/config.ts';

export async function run(context: Context): Promise<ExitCode> {
  outputOf(context, ['text']);
  const state = requireDatabase(await configOf(context));
  const url = await databaseUrl(state.url, context);
  const { from, to } = await upgradePostgres(url.reveal());
  const { out } = context.terminal;
  if (from === to) out.line(`the tables have version ${to}`);
  else if (from === 0) out.line(`created the tables, version ${to}`);
  else out.line(`upgraded the tables from version ${from} to ${to}`);
  return exits.done;
}
