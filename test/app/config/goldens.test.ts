/** What deskhand.yaml means, and what each mistake in it says, key by key: the texts people read. */
import { expect, test } from 'vitest';
import { DeskhandError } from '../../../src/base/error.ts';
import { parseConfig } from '../../../src/app/config/parse.ts';

const beside = (path: string) => ({ file: path, text: 'writes: 7\nleverag: 3\n' });

/** A file in words: what it means, or its mistake with the hint. */
function meaningOf(text: string): string {
  try {
    const { profiles, ...rest } = parseConfig(text, '/desk/deskhand.yaml', beside);
    return JSON.stringify({ ...rest, profiles: Object.fromEntries(profiles) }, shown, 1);
  } catch (error) {
    if (!(error instanceof DeskhandError)) throw error;
    const { code, message, hint = '' } = error;
    return `[${code}] ${message}${hint === '' ? '' : ` | ${hint}`}`;
  }
}

function shown(_key: string, value: unknown): unknown {
  return value instanceof URL ? value.href : value;
}

const ofProfile = (line: string): string => `profiles: { main: { ${line} } }`;
const live = 'base-url: "https://api.exchange.example"';
const auth = 'issuer: https://id.example.com, client-id: deskhand, roles: { viewer: [desk] }';
const ofServe = (line: string): string => `serve: { hosts: [d.example], ${line} }`;

const accepted = [
  '{}',
  'profile: main\nprofiles: { main: }',
  ofProfile(
    `${live}, account-id: 0123, former-keys: [01234567], other-keys: [ABCDEF01], former-ids: [1, x]`,
  ),
  ofProfile(`as: leader, target: sandbox, on-doubt: ask, proxy: none`),
  ofProfile('proxy: http://proxy.example:3128, secrets: { env: MAIN }'),
  ofProfile('proxy: { env: PROXY }, secrets: { exec: [./keys, now] }'),
  ofProfile('secrets: { file: keys/main.env }'),
  ofProfile('secrets: { exec: "./keys now" }'),
  ofProfile(
    'guards: { writes: 5, notional: "100.5", order: 7, distance: 5%, leverage: 3, symbols: [A], operations: [futures/place-order], accounts: [a], hours: mon-fri 09:00-17:30 Europe/London, doubts: block }',
  ),
  ofProfile(
    'guards: { hours: [mon-fri 09:00-17:30 Europe/London, sat 09:00-10:00 UTC], doubts: show }',
  ),
  ofProfile('approve: { signers: /etc/signers }'),
  ofProfile(
    'approve: { by: anyone, count: 2, of: [a, b], signers: /etc/signers, passkeys: /etc/passkeys.json, expires: 2h, records: /etc/records }',
  ),
  ofProfile('plan: { expires: 15m, move: 1%, items: 50000 }, allow: { shell: true }'),
  ofProfile('plan: , allow: { shell: [ls, git] }'),
  ofProfile('notify: OPS'),
  ofProfile(
    'notify: { slack: { url: { env: A }, on: [in-doubt, drift] }, webhook: { url: { file: b }, sign-with: { env: C } } }',
  ),
  'state: { store: local }',
  'state:',
  'state: { store: git }',
  'state: { store: git, remote: up, ref: refs/heads/x, root: ABCDEF0123456789, lease: 2m, name: Ann, email: a@b }',
  'state: { store: postgres, url: { env: DB }, lease: 5s, pace: shared }',
  'state: { store: restate, url: { file: db }, service: http://a.example:1, admin: http://a.example:2, pace: own }',
  'outputs: { keep: store }',
  'outputs: { max: 3MiB }',
  ofServe(`auth: { ${auth} }`),
  ofServe(
    `tls: { cert: c.pem, key: /k.pem }, metrics-token: { env: T }, auth: { ${auth}, client-secret: { env: S }, groups-claim: g, scopes: [a], idle: 5m, expires: 3h }`,
  ),
];

const ofNothing = ['[a]', '3', 'x', 'true'];
const keys = [
  'target',
  'base-url',
  'proxy',
  'account-id',
  'former-keys',
  'as',
  'secrets',
  'guards',
  'approve',
  'plan',
  'allow',
  'notify',
  'on-doubt',
];

const refused = [
  '[a]',
  'profils: {}',
  'profile: [a]',
  'profile: 3',
  'profiles: [a]',
  'profiles: { "a b": {} }',
  'profiles: { main: { on_doubt: ask } }',
  ...keys.flatMap((key) => ofNothing.map((value) => ofProfile(`${key}: ${value}`))),
  ofProfile('target: liv'),
  ofProfile('target: live'),
  ofProfile(`target: sandbox, ${live}`),
  ofProfile('as: hegde'),
  ofProfile('on-doubt: resent'),
  ofProfile('base-url: nonsense'),
  ofProfile('base-url: "http://api.exchange.example"'),
  ofProfile('proxy: http://a:b@proxy.example'),
  ofProfile('proxy: { env: A, file: b }'),
  ofProfile('former-keys: ["3fa9c1d2"]'),
  ofProfile('account-id: a, former-keys: ["3fa9c1d2"], other-keys: ["3FA9C1D2"]'),
  ofProfile('account-id: a, former-ids: [""]'),
  ofProfile('secrets: {}'),
  ofProfile('secrets: { api-key: abc }'),
  ofProfile('secrets: { env: 3 }'),
  ofProfile('secrets: { file: [a] }'),
  ofProfile('secrets: { exec: "op inject | cat" }'),
  ofProfile('secrets: { exec: "" }'),
  ofProfile('secrets: { exec: [] }'),
  ofProfile('secrets: { exec: [1] }'),
  ofProfile('secrets: { exec: { a: b } }'),
  ofProfile('guards: { write: 5 }'),
  ofProfile('guards: { writes: many }'),
  ofProfile('guards: { writes: -1 }'),
  ofProfile('guards: { writes: [1] }'),
  ofProfile('guards: { notional: "1e6" }'),
  ofProfile('guards: { order: -1 }'),
  ofProfile('guards: { distance: five }'),
  ofProfile('guards: { leverage: 1.5 }'),
  ofProfile('guards: { leverage: 0 }'),
  ofProfile('guards: { symbols: BTCUSDT }'),
  ofProfile('guards: { operations: [futures/place-orde] }'),
  ofProfile('guards: { operations: [order/list-open] }'),
  ofProfile('guards: { hours: never }'),
  ofProfile('guards: { hours: [3] }'),
  ofProfile('guards: { doubts: blok }'),
  ofProfile('guards: ./limits.yaml'),
  ofProfile('approve: { by: anyone }'),
  ofProfile('approve: { signer: a }'),
  ofProfile('approve: { by: others, signers: /a }'),
  ofProfile('approve: { count: 0, signers: /a }'),
  ofProfile('approve: { count: two, signers: /a }'),
  ofProfile('approve: { count: 2, of: [a], signers: /a }'),
  ofProfile('approve: { of: a, signers: /a }'),
  ofProfile('approve: { expires: never, signers: /a }'),
  ofProfile('plan: { expires: 0s }'),
  ofProfile('plan: { move: far }'),
  ofProfile('plan: { items: 5 }'),
  ofProfile('plan: { items: 5000000 }'),
  ofProfile('plan: { item: 5 }'),
  ofProfile('allow: { shell: ls }'),
  ofProfile('allow: { shells: true }'),
  ofProfile('notify: "no name"'),
  ofProfile('notify: { slak: { url: { env: A } } }'),
  ofProfile('notify: { slack: { on: [drift] } }'),
  ofProfile('notify: { slack: { url: "https://hooks.example/secret" } }'),
  ofProfile('notify: { slack: { url: { env: A }, on: [] } }'),
  ofProfile('notify: { slack: { url: { env: A }, on: [droft] } }'),
  ofProfile('notify: { slack: { url: { env: A }, sign-with: { env: B } } }'),
  'state: git',
  'state: { store: gti }',
  'state: { stor: git }',
  'state: { store: git, url: { env: A } }',
  'state: { store: postgres, ref: refs/heads/x }',
  'state: { lease: 5m }',
  'state: { store: postgres }',
  'state: { store: postgres, url: "postgres://a:b@c/d" }',
  'state: { store: postgres, url: { env: A }, lease: 1s }',
  'state: { store: postgres, url: { env: A }, pace: fast }',
  'state: { store: restate, url: { env: A }, admin: "http://a:b@c" }',
  'state: { store: restate, url: { env: A }, service: here }',
  'state: { store: git, lease: 30s }',
  'state: { store: git, lease: 30 }',
  'state: { store: git, remote: -x }',
  'state: { store: git, remote: "https://a:b@c.example/d" }',
  'state: { store: git, ref: main }',
  'state: { store: git, ref: refs/heads/desk-witness }',
  'state: { store: git, root: abc }',
  'state: { store: git, name: "a<b" }',
  'outputs: store',
  'outputs: { keep: stores }',
  'outputs: { max: 3MB }',
  'outputs: { max: 2GiB }',
  'outputs: { maximum: 3MiB }',
  'serve: {}',
  'serve: { hosts: [] }',
  'serve: { hosts: d, auth: {} }',
  'serve: { hosts: ["https://d.example"], auth: {} }',
  ofServe('auht: {}'),
  ofServe('auth: {}'),
  ofServe('auth: { issuer: 3 }'),
  ofServe('auth: { issuer: id.example.com, client-id: a }'),
  ofServe('auth: { issuer: "http://id.example.com", client-id: a }'),
  ofServe('auth: { issuer: "https://a:b@id.example.com", client-id: a }'),
  ofServe('auth: { issuer: https://id.example.com }'),
  ofServe('auth: { issuer: https://id.example.com, client-id: a }'),
  ofServe('auth: { issuer: https://id.example.com, client-id: a, roles: { admin: [a] } }'),
  ofServe('auth: { issuer: https://id.example.com, client-id: a, roles: { viewer: a } }'),
  ofServe('auth: { issuer: https://id.example.com, client-id: a, roles: { viewer: [" a"] } }'),
  ofServe('auth: { issuer: https://id.example.com, client-id: a, roles: { viewer: [] } }'),
  ofServe(`auth: { ${auth}, client-secret: hunter2 }`),
  ofServe(`auth: { ${auth}, scopes: [a b] }`),
  ofServe(`auth: { ${auth}, scopes: a }`),
  ofServe(`auth: { ${auth}, idle: 0s }`),
  ofServe(`auth: { ${auth}, groups-claim: 3 }`),
  ofServe(`tls: { cert: c.pem }, auth: { ${auth} }`),
  ofServe(`metrics-token: hunter2, auth: { ${auth} }`),
];

test('what a file means', () => {
  const lines = accepted.map((text) => `${text}\n→ ${meaningOf(text)}`);
  expect(lines.join('\n\n')).toMatchSnapshot();
});

test('what a mistake says', () => {
  const lines = refused.map((text) => `${text}\n→ ${meaningOf(text)}`);
  expect(lines.join('\n')).toMatchSnapshot();
});
