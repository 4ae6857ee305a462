/** `version`: the version of this program, its platform, and the commit it was built from. */
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { thisSystem } from '../../base/platform/system.ts';
import { version } from '../../base/version.ts';
import { outputOf, type Context } from '../context.ts';
import type { VersionOutput } from '../../app/documents/exchange.ts';
import { columns } from '../../report/terminal/columns.ts';

export function run(context: Context): Promise<ExitCode> {
  const { out } = context.terminal;
  const found = versionHere();
  if (outputOf(context, ['text', 'json']) === 'json') out.json(found);
  else {
    const { deskhand, node, platform, arch, commit } = found;
    const rows = [
      ['deskhand', deskhand],
      ['node', node],
      ['system', `${platform} ${arch}`],
      ...(commit === undefined ? [] : [['commit', commit]]),
    ];
    out.line(columns(rows, out.theme, { indent: 0 }).join('\n'));
  }
  return Promise.resolve(exits.done);
}

function versionHere(): VersionOutput {
  const { arch, versions } = process;
  const commit = commitHere();
  return {
    version: 1,
    deskhand: version,
    node: versions.node,
    platform: thisSystem,
    arch,
    ...(commit !== undefined && { commit }),
  };
}

/**
 * The commit that the program was built from, which the loader of the build knows; undefined in
 * sources.
 */
function commitHere(): string | undefined {
  const commit: unknown = Reflect.get(globalThis, Symbol.for('deskhand.commit'));
  return typeof commit === 'string' && commit !== '' ? commit : undefined;
}
