/** The second step of action.yml: runs the commands of the input `run` in turn, until one fails. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { commandsIn } from './commands.ts';

try {
  const commands = commandsIn(process.env['COMMANDS'] ?? '');
  if (commands.length === 0) throw new SyntaxError('the input "run" has no command');
  for (const words of commands) {
    const { status, error } = spawnSync('deskhand', words, { stdio: 'inherit' });
    if (error !== undefined) throw error;
    process.exitCode = status ?? 1; // a signal ended it
    if (process.exitCode !== 0) break;
  }
} catch (error) {
  console.error(`::error::${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
