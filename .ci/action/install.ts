/**
 * The first step of action.yml: installs what the input `package` names, or builds the commit of the
 * action itself, and adds the folder of `deskhand` to the path of later steps.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { DeskhandError } from '../../src/base/error.ts';
import { installLines, packageSource } from '../../src/cli/init/package-source.ts';

const { PACKAGE = '', GITHUB_WORKSPACE = '.' } = process.env;

try {
  const source =
    PACKAGE === '' ? ({ kind: 'action' } as const) : packageSource(PACKAGE, GITHUB_WORKSPACE);
  const lines = [...installLines(source), 'echo "$folder/bin" >> "$GITHUB_PATH"'];
  const { status } = spawnSync('bash', ['-euo', 'pipefail', '-c', lines.join('\n')], {
    cwd: GITHUB_WORKSPACE,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof DeskhandError)) throw error;
  console.error(`::error::${error.message}: ${error.hint ?? ''}`);
  process.exitCode = 2;
}
