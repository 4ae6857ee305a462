/** How this program is started again. */
import process from 'node:process';

/** The executable and what precedes the command. A debugger's port is in use already. */
export function ownCommand(): readonly [string, ...string[]] {
  const flags = process.execArgv.filter((flag) => !/^--(?:inspect|debug)/.test(flag));
  return [process.execPath, ...flags, ...process.argv.slice(1, 2)];
}
