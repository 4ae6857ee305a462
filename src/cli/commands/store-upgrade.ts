/** `store upgrade`: prepares a shared database for this version. */
import { exits, type ExitCode } from '../../base/error.ts';
import { upgradeDatabase } from '../../stores/databases.ts';
import { outputOf, type Context } from '../context.ts';
import { databaseUrl, requireDatabase } from '../../app/store/database.ts';
import { configOf } from '../../app/config/opened.ts';

export async function run(context: Context): Promise<ExitCode> {
  outputOf(context, ['text']);
  const state = requireDatabase(await configOf(context));
  const url = (await databaseUrl(state.url, context)).reveal();
  context.terminal.out.line(await upgradeDatabase(state, url));
  return exits.done;
}
