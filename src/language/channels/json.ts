/** The channel to any server: one POST of JSON in our own format. */
import { postProblem, type Channel } from './channel.ts';

export const json = {
  name: 'json',
  recipient: 'webhook',
  describes: { recipient: 'A server that takes JSON', address: 'Source of the address' },
  isSigned: true,
  isMail: false,
  serves: () => false, // its addresses are those of no other channel
  addressProblem: postProblem,
  body: ({ document }) => document,
} as const satisfies Channel;
