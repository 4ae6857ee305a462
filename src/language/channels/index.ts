/** All channels of notifications, one file each; steps and profiles send through the same. */
import { isRecord } from '../../base/json.ts';
import type { Channel } from './channel.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { json } from './json.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';

const all = [slack, teams, telegram, discord, email, json] as const;

export const channels: readonly Channel[] = all;
export type ChannelName = (typeof all)[number]['name'];
/** A key of `notify` of a profile. */
export type RecipientKind = (typeof all)[number]['recipient'];

export const channelNames: readonly ChannelName[] = all.map(({ name }) => name);
export const recipientKinds: readonly RecipientKind[] = all.map(({ recipient }) => recipient);

/** @returns undefined for another text */
export function channelNamed(name: string): Channel | undefined {
  return channels.find((channel) => channel.name === name);
}

/** The channel of a recipient of a profile. */
export function channelOf(kind: RecipientKind): Channel {
  return channels.find(({ recipient }) => recipient === kind) ?? json;
}

/** The channel that a notification requests by its `format`, or the one that serves the address. */
export function channelFor(notice: object, url: URL): Channel {
  const asked = isRecord(notice) ? notice['format'] : undefined;
  const named = typeof asked === 'string' ? channelNamed(asked) : undefined;
  return named ?? channels.find((channel) => channel.serves(url)) ?? json;
}
