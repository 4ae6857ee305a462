/** Runs the commands of README.md. */
import { testCommandsOf } from './commands.ts';

testCommandsOf('README.md', 6);
