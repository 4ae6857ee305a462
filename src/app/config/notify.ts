/** The recipients of notifications, and the events each receives: `notify` of a profile. */
import type { SecretSource } from '../../base/secret-source.ts';
import { choice, described, either, text } from '../../exchange/api/schema.ts';
import { channelOf, recipientKinds, type RecipientKind } from '../../language/channels/index.ts';
import { noticeEvents, type NoticeEvent } from '../notification/event.ts';
import { changed, map, needed, withDefault, wrong, type Given, type Part } from './part.ts';
import { texts } from './scalars.ts';
import { secret } from './secret-source.ts';

/** An address for notifications, and the events that are sent there. */
export interface Recipient {
  /** The kind of the recipient; for `named`, the format is derived from the address. */
  readonly kind: RecipientKind | 'named';
  /** The source of the recipient's address, or the name of a secret of the profile. */
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

/** Recipients by kind: `{ slack: { url: { env: SLACK_URL }, on: [in-doubt] } }`. */
const byKind: Part<readonly Recipient[]> = changed(
  map(Object.fromEntries(recipientKinds.map((kind) => [kind, recipientOf(kind)])), {
    minProperties: 1,
  }),
  (given) => recipientKinds.flatMap((kind) => given[kind] ?? []),
);

/** The recipients, or the name of a secret that has the address of one: `notify: OPS_WEBHOOK`. */
export const recipients: Part<readonly Recipient[]> = {
  ...described(
    'Recipients of notifications, by kind; or the name of a secret with the address of one',
    either(text(), byKind),
  ),
  read: (value, place) => {
    if (typeof value !== 'string') return byKind.read(value, place);
    if (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value)) {
      return [{ kind: 'named', url: value, on: usualEvents }];
    }
    throw wrong(place, 'must be the name of a secret such as OPS_WEBHOOK, or recipients by kind');
  },
};

function recipientOf(kind: RecipientKind): Part<Recipient> {
  const { describes, isSigned } = channelOf(kind);
  const usual = {
    url: needed(
      described(describes.address, secret),
      'is missing: it is a secret, such as { env: SLACK_URL }',
    ),
    on: withDefault(events(), usualEvents),
  };
  const key = described('Source of the key that signs the body', secret);
  const signed = { ...usual, 'sign-with': key };
  const parts: Part<Given<typeof signed>> = isSigned ? map(signed) : map(usual);
  const part = changed(parts, ({ url, on, 'sign-with': signWith }): Recipient => {
    return { kind, url, ...(signWith && { signWith }), on };
  });
  return described(describes.recipient, part);
}

function events(): Part<readonly NoticeEvent[]> {
  const names = texts(
    { description: `Events (default: ${usualEvents.join(', ')})` },
    choice(noticeEvents),
  );
  return changed(names, (given, place) => {
    const chosen = noticeEvents.filter((event) => given.includes(event));
    if (chosen.length > 0 && chosen.length === new Set(given).size) return chosen;
    throw wrong(place, `must list some of ${noticeEvents.join(', ')}`);
  });
}
