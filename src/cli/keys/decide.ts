/** Records a person's decision about keys of an account in the configuration, where Git has its history. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, plainText } from '../../base/text.ts';
import { fingerprintIn } from '../../app/config/account-id.ts';
import { withAddition, type Addition } from '../../app/config/edit.ts';
import type { Profile } from '../../app/config/profile.ts';
import { ofEnvironment } from '../../engine/journal/id-hint.ts';
import { keyUsesIn } from '../../engine/journal/standing.ts';
import type { Context, Args } from '../context.ts';
import { readArgument } from '../args/named-file.ts';
import { textIn } from '../../app/machine/text-in.ts';
import { rewriteFile } from '../args/rewrite.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';

const description = {
  'former-keys': 'belonged to this account before',
  'other-keys': 'belongs to another account',
} as const;

/**
 * Records a decision. @throws UsageError for what is not a fingerprint, or a profile that no file
 * defines
 */
export async function decide(
  context: Context,
  args: Args,
  key: keyof typeof description,
): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const config = await configOf(context);
  const profile = profileOf(context, config);
  const keys = args.positionals.map(fingerprintOf);
  const file = fileOf(profile, key, keys);
  const known = new Set(
    (await keyUsesIn(config.stateDir)).map(({ destination }) => destination.keyFingerprint),
  );
  const strange = keys.filter((each) => !known.has(each));
  const additions = additionsFor(profile, args, { key, values: keys });
  const bytes = await readArgument(file, context.terminal);
  const before = textIn(bytes, file);
  const after = additions.reduce(
    (text, each) => withAddition(text, file, profile.name, each),
    before,
  );
  if (after === before) out.line(`${plainText(file)} already has this`);
  else {
    await rewriteFile(file, after, bytes);
    for (const { key: name, values } of additions) {
      out.line(`${plainText(file)}: profiles.${profile.name}.${name} has ${listed(values)}`);
    }
  }
  if (strange.length > 0) {
    err.line(
      `${err.theme.sign('warn')} no run here used ${listed(strange)}: see \`deskhand keys list\``,
    );
  }
  await configOf(context); // the written file must parse to the intended values
  return exits.done;
}

/** The fingerprint in an argument. The argument may be the key: it is not printed. */
function fingerprintOf(word: string): string {
  const fingerprint = fingerprintIn(word);
  if (fingerprint !== undefined) return fingerprint;
  throw new UsageError(
    'name a key by its fingerprint, 8 hex digits, never by the key itself',
    '`deskhand keys list` shows the fingerprints of the keys that runs here used',
  );
}

function additionsFor(profile: Profile, args: Args, added: Addition): readonly Addition[] {
  const id = args.text('account-id');
  if (id !== undefined && profile.accountId !== undefined && profile.accountId !== id.trim()) {
    throw new UsageError(
      `profile ${profile.name} has account-id ${plainText(profile.accountId, 80)}`,
      'remove --account-id',
    );
  }
  if (profile.accountId === undefined && id !== undefined) {
    return [{ key: 'account-id', values: [id] }, added];
  }
  if (profile.accountId !== undefined || added.key === 'other-keys') return [added];
  throw new UsageError(
    `profile ${profile.name} has no account-id: deskhand cannot tell whose former key it was`,
    'add --account-id ID: the uid of the account on the exchange, or any permanent text',
  );
}

function fileOf(
  { name, from }: Profile,
  key: keyof typeof description,
  keys: readonly string[],
): string {
  if (/\.ya?ml$/.test(from)) return from;
  const variable = key === 'former-keys' ? 'DESKHAND_FORMER_KEYS' : 'DESKHAND_OTHER_KEYS';
  throw new UsageError(
    `no file defines profile ${name}, so nothing can record that ${listed(keys)} ${description[key]}`,
    name === ofEnvironment ? `set ${variable}=${keys.join(',')}` : 'create a deskhand.yaml with it',
  );
}
