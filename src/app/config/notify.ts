/** The recipients of notifications, and the events each receives: `notify` of a profile. */
import type { SecretSource } from '../../base/secret-source.ts';
import { channelOf, recipientKinds, type RecipientKind } from '../../language/channels/index.ts';
import { noticeEvents, type NoticeEvent } from '../notification/event.ts';
import { fieldsOf, inside, textsIn, wrong, type Fields } from './fields.ts';
import { secretSourceIn } from './secret-source.ts';

/** An address for notifications, and the events that are sent there. */
export interface Recipient {
  /** The kind of the recipient; for `named`, the format is derived from the address. */
  readonly kind: RecipientKind | 'named';
  /** The source of its address, or the name of a secret of the profile. */
  readonly url: SecretSource | string;
  /** The source of the secret that signs what is posted to a webhook. */
  readonly signWith?: SecretSource;
  readonly on: readonly NoticeEvent[];
}

/**
 * Events that are sent by default; drift is not among them, because only the command that looks for it finds
 * it.
 */
export const usualEvents: readonly NoticeEvent[] = noticeEvents.filter(
  (event) => event !== 'drift',
);

/**
 * Reads `notify: NAME`, the name of a secret with the address, or recipients by kind: `notify: { slack: {
 * url: { env: SLACK_URL }, on: [in-doubt] } }`.
 * @throws ConfigError
 */
export function recipientsOf(profile: Fields): readonly Recipient[] {
  const place = inside(profile, 'notify');
  const value = profile.values['notify'];
  if (value === undefined) return [];
  if (typeof value === 'string') {
    if (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value)) {
      return [{ kind: 'named', url: value, on: usualEvents }];
    }
    throw wrong(place, 'must be the name of a secret such as OPS_WEBHOOK, or recipients by kind');
  }
  const fields = fieldsOf(value, place, recipientKinds);
  return recipientKinds.flatMap((kind) => {
    return fields.values[kind] === undefined ? [] : [recipientOf(fields, kind)];
  });
}

function recipientOf(all: Fields, kind: RecipientKind): Recipient {
  const known = channelOf(kind).isSigned ? ['url', 'on', 'sign-with'] : ['url', 'on'];
  const fields = fieldsOf(all.values[kind], inside(all, kind), known);
  const url = secretSourceIn(fields, 'url');
  if (url === undefined) {
    throw wrong(inside(fields, 'url'), 'is missing: it is a secret, such as { env: SLACK_URL }');
  }
  const signWith = secretSourceIn(fields, 'sign-with');
  return { kind, url, ...(signWith && { signWith }), on: eventsIn(fields) };
}

function eventsIn(fields: Fields): readonly NoticeEvent[] {
  const names = textsIn(fields, 'on');
  if (names === undefined) return usualEvents;
  const unknown = names.find((name) => !noticeEvents.some((event) => event === name));
  if (unknown !== undefined || names.length === 0) {
    throw wrong(inside(fields, 'on'), `must list some of ${noticeEvents.join(', ')}`);
  }
  return noticeEvents.filter((event) => names.includes(event));
}
