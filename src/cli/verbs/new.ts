/** Defines the command that writes a first playbook. */
import { writeFormats } from '../../language/playbook.ts';
import type { Verb } from './verb.ts';

export const newVerb: Verb = {
  name: 'new',
  positionals: '[name]',
  description: 'Write a playbook of one operation, and its test, from answers to questions',
  flags: [
    { flags: '--operation <name>', description: 'what it reads or writes', choices: 'operation' },
    {
      flags: '--with <field=value>',
      description: 'a field of the request: symbol=BTCUSDT',
      isRepeated: true,
    },
    { flags: '--days <number>', description: 'from how many days ago it reads (default 1)' },
    {
      flags: '--account <name>',
      description: 'the profile of its account',
      choices: 'profile',
    },
    { flags: '--schedule <cron>', description: 'when it runs: "15 2 * * *" is daily at 2:15' },
    { flags: '--timezone <name>', description: 'time zone of the schedule (default UTC)' },
    {
      flags: '--write <format>',
      description: 'file with the rows: csv (default), ndjson, json, parquet, xlsx or none',
      choices: [...writeFormats, 'none'],
    },
    {
      flags: '--max-notional <dollars>',
      description: 'for an order: the value that it never exceeds (default: that of a limit order)',
    },
    {
      flags: '--once-per <scope>',
      description:
        'for an order: playbook places it once in any number of runs (default), run in each',
      choices: ['playbook', 'run'],
    },
  ],
  load: () => import('../commands/new.ts'),
};
