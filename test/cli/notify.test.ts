/** Notifications of commands: who gets them, once for each event, and never a reason to fail. */
import { afterEach, describe, expect, test } from 'vitest';
import { decodedMail, mailServer, webhook, type Posted } from '../app/notification/recipients.ts';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const config = `profiles:
  sandbox:
    notify:
      webhook: { url: { env: HOOK }, sign-with: { env: HOOK_KEY } }
      slack: { url: { env: SLACK }, on: [in-doubt] }
      teams: { url: { env: TEAMS }, on: [stopped] }
      email: { url: { env: MAIL } }
`;
const files = {
  'deskhand.yaml': config,
  'subs.yaml':
    'playbook: 1\nname: subs\nsteps: [{ id: sub, uses: account/create-sub, with: { username: alpha } }]\n',
  'failing.yaml': `playbook: 1
name: failing
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }]
`,
  'lost.yaml':
    'version: 1\nfaults:\n  - { match: { operation: account/create-sub }, when: after-commit, times: 1, action: { kind: reset } }\n',
};

async function recipients(statuses: number[] = []) {
  const [hook, slack, teams, mail] = await Promise.all([
    webhook([...statuses]),
    webhook([...statuses]),
    webhook([...statuses]),
    mailServer(),
  ]);
  closing.push(hook.close, slack.close, teams.close, mail.close);
  const at = (port: number): string => `http://127.0.0.1:${port}/token-1234567890`;
  const env = {
    HOOK: at(hook.port),
    HOOK_KEY: 'key-1234567890',
    SLACK: at(slack.port),
    TEAMS: at(teams.port),
    MAIL: `smtp://127.0.0.1:${mail.port}/?from=desk@x.org&to=ops@x.org`,
  };
  return { hook, slack, teams, mail, env };
}

const eventsOf = (posted: readonly Posted[]): unknown[] =>
  posted.map(({ body }) => {
    const { event, playbook } = JSON.parse(body);
    return [event, playbook];
  });

describe('a run', () => {
  test('in doubt notifies once, however often it is resumed', async () => {
    const { hook, slack, teams, mail, env } = await recipients();
    const cwd = folderWith(files);
    await inside(['sandbox', 'load', 'lost.yaml'], { cwd });
    expect((await inside(['run', 'subs.yaml'], { cwd, env })).code).toBe(6);
    for (let time = 0; time < 2; time++) {
      expect((await inside(['resume', 'last'], { cwd, env })).code).not.toBe(0);
    }
    expect(eventsOf(hook.posted)).toEqual([['in-doubt', 'subs']]);
    expect([slack.posted.length, teams.posted.length, mail.mails.length]).toEqual([1, 0, 1]);
    const { subject, text } = decodedMail(mail.mails[0] ?? '');
    expect(subject).toBe('deskhand sandbox: in doubt: subs on sandbox');
    expect(text).toMatch(/\n {2}deskhand (?:resolve|resume) r-\w+/);
  });

  test('that stops notifies its recipients, and one without their address warns', async () => {
    const { hook, slack, teams, mail, env } = await recipients();
    const { SLACK: _unused, TEAMS: _missing, ...left } = env;
    const cwd = folderWith(files);
    const { code, stderr } = await inside(['run', 'failing.yaml'], { cwd, env: left });
    expect(code).toBe(1);
    expect(eventsOf(hook.posted)).toEqual([['stopped', 'failing']]);
    expect([slack.posted.length, teams.posted.length, mail.mails.length]).toEqual([0, 0, 1]);
    expect(stderr).toContain(
      'warning profiles.sandbox.notify.teams: profiles.sandbox.notify.teams.url is not set\n  help  set TEAMS\n',
    );
  });

  test('keeps its exit code when nobody is reached, and shows no address', async () => {
    const { env } = await recipients([404, 404]);
    const cwd = folderWith(files);
    const { code, stderr } = await inside(['run', 'failing.yaml'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'warning profiles.sandbox.notify.webhook: the notification was not delivered: the server responded with 404\n  help  check the address',
    );
    expect(stderr).not.toMatch(/127\.0\.0\.1|token-/);
  });

  test('whose texts repeat the password of a mailbox does not send it', async () => {
    const { hook, mail, env } = await recipients();
    const MAIL = env.MAIL.replace('//', '//desk:hunter2%2Fhunter2@');
    const failing = files['failing.yaml'].replace('eq 1 2', "eq 'hunter2/hunter2' 'x'");
    const cwd = folderWith({ ...files, 'failing.yaml': failing });
    const { code } = await inside(['run', 'failing.yaml'], { cwd, env: { ...env, MAIL } });
    expect([code, hook.posted.length]).toEqual([1, 1]);
    const { text } = decodedMail(mail.mails[0] ?? '');
    expect(text).toContain("{{ eq '•••' 'x' }} is false");
    expect(text).not.toContain('hunter2');
  });

  test('has the address of its page, if a server for a team is configured', async () => {
    const { hook, slack, mail, env } = await recipients();
    const serve =
      'serve: { hosts: ["desk.example.com:8443"], auth: { issuer: "https://id.example.com", client-id: a, roles: { viewer: [a] } } }\n';
    const cwd = folderWith({ ...files, 'deskhand.yaml': `${config}${serve}` });
    const { stderr } = await inside(['run', 'failing.yaml'], { cwd, env });
    const [body] = hook.posted.map((posted) => JSON.parse(posted.body));
    expect(body?.link, stderr).toBe(`https://desk.example.com:8443/runs/${body?.run}`);
    expect(decodedMail(mail.mails[0] ?? '').text).toContain(`\n\n${body?.link}\n`);
    expect(slack.posted).toEqual([]);
  });

  test('that is done notifies nobody', async () => {
    const { hook, mail, env } = await recipients();
    const cwd = folderWith({
      ...files,
      'a.yaml':
        'playbook: 1\nname: a\nsteps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT } }]\n',
    });
    expect((await inside(['run', 'a.yaml'], { cwd, env })).code).toBe(0);
    expect([hook.posted, mail.mails]).toEqual([[], []]);
  });
});

test('drift notifies only who asks for it', async () => {
  const { hook, slack, env } = await recipients();
  const cwd = folderWith({
    ...files,
    'deskhand.yaml': config.replace('on: [in-doubt]', 'on: [drift]'),
  });
  await inside(['sandbox', 'load', 'lost.yaml'], { cwd });
  await inside(['run', 'subs.yaml'], { cwd });
  const { code } = await inside(['drift', 'subs.yaml'], { cwd, env });
  expect([code, hook.posted.length, slack.posted.length]).toEqual([10, 0, 1]);
  expect(slack.posted[0]?.body).toContain('subs on sandbox: 1 difference between the ledger');
});

describe('a configuration', () => {
  const validate = async (notify: string) => {
    const cwd = folderWith({
      ...files,
      'deskhand.yaml': `profiles: { sandbox: { notify: ${notify} } }\n`,
    });
    const { code, stderr } = await inside(['runs', 'list'], { cwd });
    return { code, stderr };
  };

  test.each([
    ['"https://hooks.example/T0KEN"', 'profiles.sandbox.notify must be the name of a secret'],
    [
      '{ slack: { url: "https://hooks.example/T0KEN" } }',
      'profiles.sandbox.notify.slack.url must be a map',
    ],
    ['{ slack: { on: [stopped] } }', 'profiles.sandbox.notify.slack.url is missing'],
    [
      '{ slack: { url: { env: A }, on: [stoped] } }',
      'profiles.sandbox.notify.slack.on must list some of in-doubt, stopped, approval-wanted, missed, drift',
    ],
    [
      '{ slack: { url: { env: A }, on: [] } }',
      'profiles.sandbox.notify.slack.on must list some of',
    ],
    ['{ slack: { url: { env: A }, sign-with: { env: B } } }', 'sign-with'],
    ['{ pager: { url: { env: A } } }', 'pager'],
  ])('with notify: %s is refused', async (notify, message) => {
    const { stderr } = await validate(notify);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('T0KEN');
  });
});
