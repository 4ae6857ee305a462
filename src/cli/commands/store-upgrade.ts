/** `store upgrade`: prepares a shared database for this version. */
import { exits, type ExitCode } from '../../base/error.ts';
import type { DatabaseSettings } from '../../stores/settings.ts';
import { outputOf, type Context } from '../context.ts';
import { databaseUrl, requireDatabase } from '../../app/store/database.ts';
import { configOf } from '../../app/config/opened.ts';

export async function run(context: Context): Promise<ExitCode> {
  outputOf(context, ['text']);
  const state = requireDatabase(await configOf(context));
  const url = (await databaseUrl(state.url, context)).reveal();
  context.terminal.out.line(await upgrade(state, url));
  return exits.done;
}

/** @returns what was done */
async function upgrade(state: DatabaseSettings, url: string): Promise<string> {
  switch (state.store) {
    case 'postgres': {
      const { upgradePostgres } = await import('../../stores/postgres/upgrade.ts');
      const { from, to } = await upgradePostgres(url);
      if (from === to) return `the tables have version ${to}`;
      if (from === 0) return `created the tables, version ${to}`;
      return `upgraded the tables from version ${from} to ${to}`;
    }
    case 'restate': {
      const { upgradeRestate } = await import('../../stores/restate/upgrade.ts');
      const { isNew, version } = await upgradeRestate({ ...state, url });
      return `registered the service${isNew ? '' : ' again'}, version ${version}`;
    }
  }
}
