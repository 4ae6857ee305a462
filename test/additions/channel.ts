/** A channel of notifications: one file, and its place in the list. */
import { before, type Addition } from './addition.ts';

export const channel: Addition = {
  name: 'a channel',
  files: [
    {
      file: 'language/channels/mattermost.ts',
      text: `/** Mattermost, by an incoming webhook. */
import { postProblem, type Channel } from './channel.ts';

export const mattermost = {
  name: 'mattermost',
  recipient: 'mattermost',
  describes: { recipient: 'A Mattermost channel, by its webhook', address: 'Source of the address' },
  isSigned: false,
  isMail: false,
  serves: ({ hostname }) => hostname === 'chat.example',
  addressProblem: postProblem,
  body: ({ text }) => ({ text }),
} as const satisfies Channel;
`,
    },
    {
      file: 'language/channels/index.ts',
      edits: [
        before(
          "import { slack } from './slack.ts';",
          "import { mattermost } from './mattermost.ts';\n",
        ),
        [
          'const all = [slack, teams, telegram, discord, email, json] as const;',
          'const all = [slack, teams, telegram, discord, mattermost, email, json] as const;',
        ],
      ],
    },
  ],
  shows: `
import { channelFor } from './src/language/channels/index.ts';
import { recipients } from './src/app/config/notify.ts';

const channel = channelFor({}, new URL('https://chat.example/hooks/x'));
const value = { mattermost: { url: { env: 'CHAT_URL' } } };
const [recipient] = recipients.read(value, { file: 'deskhand.yaml', path: 'profiles.main.notify' });
const body = channel.body({ text: 'stopped', document: {} });
console.log(JSON.stringify([channel.name, recipient?.kind, JSON.stringify(recipients.json).includes('mattermost'), body]));
`,
  shown: ['mattermost', 'mattermost', true, { text: 'stopped' }],
};
