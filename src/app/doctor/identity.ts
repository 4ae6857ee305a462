/** The account of a profile: its id, and the keys used with it. */
import { DeskhandError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Profile } from '../config/profile.ts';
import { isEmbedded } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { idHint } from '../../engine/journal/id-hint.ts';
import type { AccountRegister } from '../../engine/journal/standing.ts';
import { failure, ok, unknown, warning, type Finding } from './finding.ts';

const what = 'account';

export function identityOf(destination: Destination, book: AccountRegister): readonly Finding[] {
  const { profile, accountId, keyFingerprint = 'none' } = destination;
  try {
    book.refuseConflict(destination, true);
  } catch (error) {
    if (!(error instanceof DeskhandError)) throw error;
    const { message, hint = 'see the message', exit } = error;
    return [failure(what, message.replace(/; nothing was sent$/, ''), hint, exit)];
  }
  if (accountId !== undefined) {
    const news = book.newsOf(destination).map((note) => warning(what, note, knownMend(profile)));
    const message = `account-id ${plainText(accountId, 80)}, with key ${keyFingerprint}`;
    return [ok(what, message), ...news];
  }
  if (isEmbedded(destination))
    return [ok(what, 'of the built-in sandbox, identified by its world')];
  return [nameless(destination, `identified only by its key ${keyFingerprint}`)];
}

/** The account of a profile, as far as the configuration alone shows it. */
export function identityIn({ name: profile, target, accountId, baseUrl }: Profile): Finding {
  if (accountId !== undefined) return ok(what, `account-id ${plainText(accountId, 80)}`);
  if (baseUrl === undefined) return ok(what, 'of the built-in sandbox, identified by its world');
  return nameless({ profile, target }, 'identified only by its key');
}

function nameless(
  { profile, target }: Pick<Destination, 'profile' | 'target'>,
  known: string,
): Finding {
  const message = `no account-id: ${profile} is ${known}`;
  return target !== 'sandbox'
    ? warning(what, message, idHint(profile))
    : unknown(what, `${message}; ${idHint(profile)}`);
}

function knownMend(profile: string): string {
  return `if ${profile} has another account now, give it another account-id`;
}
