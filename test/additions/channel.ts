/** A channel of notifications: one file, and its place in the list. */
import { before, type Addition } from './addition.ts';

export const channel: Addition = {
  name: 'a channel',
  files: [
    {
      file: 'language/channels/discord.ts',
      text: `/** Discord, by a webhook of a channel. */
import { postProblem, type Channel } from './channel.ts';

export const discord = {
  name: 'discord',
  recipient: 'discord',
  describes: { recipient: 'A Discord channel, by its webhook', address: 'Source of the address' },
  isSigned: false,
  isMail: false,
  serves: ({ hostname }) => hostname === 'discord.com',
  addressProblem: postProblem,
  body: ({ text }) => ({ content: text, allowed_mentions: { parse: [] } }),
} as const satisfies Channel;
`,
    },
    {
      file: 'language/channels/index.ts',
      edits: [
        before("import { email } from './email.ts';", "import { discord } from './discord.ts';\n"),
        [
          'const all = [slack, teams, email, json] as const;',
          'const all = [slack, teams, discord, email, json] as const;',
        ],
      ],
    },
  ],
  shows: `
import { channelFor } from './src/language/channels/index.ts';
import { recipients } from './src/app/config/notify.ts';

const channel = channelFor({}, new URL('https://discord.com/api/webhooks/1/x'));
const value = { discord: { url: { env: 'DISCORD_URL' } } };
const [recipient] = recipients.read(value, { file: 'deskhand.yaml', path: 'profiles.main.notify' });
const body = channel.body({ text: 'stopped', document: {} });
console.log(JSON.stringify([channel.name, recipient?.kind, JSON.stringify(recipients.json).includes('discord'), body]));
`,
  shown: ['discord', 'discord', true, { content: 'stopped', allowed_mentions: { parse: [] } }],
};
