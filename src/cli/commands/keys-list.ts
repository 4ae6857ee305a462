/** `keys list`: the keys that signed runs here, and their accounts. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { keyParts } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { keyUsesIn } from '../../engine/journal/standing.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { printShared } from '../running/shared.ts';
import { configOf } from '../../app/config/opened.ts';
import type { KeysListOutput } from '../../app/documents/exchange.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export async function run(context: Context, _given: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  await printShared(config, context);
  const keys = await knownKeys(config.stateDir);
  if (format === 'json') out.json({ version: 1, keys } satisfies KeysListOutput);
  else out.line(textOf(keys, out.theme).join('\n'));
  return exits.done;
}

interface KnownKey {
  readonly key: string;
  readonly host: string;
  readonly target: Destination['target'];
  /** Account ids the key was used under; none if its runs had none. */
  readonly accountIds: readonly string[];
  readonly profiles: readonly string[];
  readonly runs: number;
  /** The newest run that used the key. */
  readonly last: string;
}

/** The known keys, newest first. */
async function knownKeys(stateDir: string): Promise<readonly KnownKey[]> {
  const keys = new Map<string, KnownKey & { readonly seen: ReadonlySet<string> }>();
  for (const { run: id = '', destination } of await keyUsesIn(stateDir)) {
    const { keyFingerprint, accountId, host, target, profile } = destination;
    if (keyFingerprint === undefined) continue;
    const name = keyParts(destination).join(' ');
    const before = keys.get(name);
    const seen = new Set([...(before?.seen ?? []), id]);
    keys.set(name, {
      key: keyFingerprint,
      host,
      target,
      accountIds: joined(before?.accountIds, accountId),
      profiles: joined(before?.profiles, profile),
      runs: seen.size,
      last: before?.last ?? id,
      seen,
    });
  }
  return [...keys.values()].map(({ seen: _seen, ...key }) => key);
}

function joined(list: readonly string[] = [], one: string | undefined): readonly string[] {
  return one === undefined || list.includes(one) ? list : [...list, one];
}

function textOf(keys: readonly KnownKey[], theme: Theme): string[] {
  if (keys.length === 0) return ['no run here used a key'];
  const rows = keys.map(({ key, host, accountIds, profiles, runs, last }) => [
    theme.paint('strong', key),
    accountIds.length === 0
      ? 'no account-id'
      : accountIds.map((id) => plainText(id, 60)).join(', '),
    plainText(host, 60),
    profiles.map((profile) => plainText(profile, 40)).join(', '),
    `${count(runs, 'run')}, last ${plainText(last, 40)}`,
  ]);
  return columns(rows, theme, { indent: 0 });
}
