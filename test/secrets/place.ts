/** A desk whose every secret is marked: its files, its environment, and a home that is searched too. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { connectProxy, type TestProxy } from '../support/proxy.ts';
import { marks } from './marks.ts';
import { wireTo, type Wire } from './wire.ts';
import { gitIn } from '../support/repository.ts';

export interface Place {
  /** Where everything is done. */
  readonly cwd: string;
  /** Where secrets may be: nothing here is searched. */
  readonly vault: string;
  /** Folders in which nothing may be. */
  readonly searched: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly wire: Wire;
  /** All profiles reach the exchange through it, with a marked password. */
  readonly proxy: TestProxy;
  /** An SSH key, which is a secret as well. */
  readonly sshKey: string;
  /** All that was printed, by what was done. */
  readonly printed: Map<string, string>;
  /** Verbs that were used. */
  readonly verbs: Set<string>;
  readonly at: (
    words: readonly string[],
    more?: Readonly<Record<string, string>>,
  ) => Promise<Ended>;
  readonly note: (what: string, ended: Omit<Ended, 'code'>) => void;
}

export const everything = `playbook: 1
name: everything
account: main
schedule: [{ cron: "* * * * *", timezone: "+08:00", only: [open] }]
steps:
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - id: ladder
    for-each: "{{ range 30001 30003 }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
  - id: sub
    needs: [ladder]
    uses: account/create-sub
    with: { username: NAME, note: a desk }
  - id: open
    uses: order/list-open
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    write: { file: "out/{{ run.id }}.csv", columns: { price: "{{ row.price }}" } }
  - id: program
    uses: shell/run
    with:
      command: [sh, -c, 'printf %s "$TOKEN"; printf %s "$TOKEN" | base64; printf %s "$TOKEN" >&2; exit $END']
      env: { TOKEN: "{{ secrets.PROGRAM }}", END: "CODE" }
  - id: tell
    needs: [program]
    uses: notify/webhook
    with: { url: "{{ secrets.OPS_WEBHOOK }}", text: done, sign-with: "{{ secrets.SIGNING }}" }
finally:
  - { id: page, uses: report/page, with: { file: "out/{{ run.id }}.html" } }
`;

/** The same with names of its own, so that a second run has something to do. */
export function playbook(name: string, code = 0): string {
  return everything
    .replace('name: everything', `name: ${name}`)
    .replace('username: NAME', `username: ${name}`)
    .replace('CODE', String(code));
}

let opened = 0;

/** The repository of a desk before anything was done in it. */
export async function openPlace(): Promise<Place> {
  const exchange = await startSandbox();
  const wire = await wireTo(exchange.baseUrl);
  const to = Number(new URL(wire.baseUrl).port);
  const proxy = await connectProxy({ to, login: `desk:${marks.proxy}` });
  await addMarkedKey(exchange.readyFile, exchange.controlUrl);
  const sshKey = keyOf(`secrets-ben-${++opened}`);
  const [cwd, home, vault] = [folderWith(filesFor(wire, sshKey)), folderWith(), folderWith()];
  mkdirSync(join(home, 'tmp'));
  const git = gitIn(cwd);
  git('init', '-q', '--bare', join(home, 'books.git'));
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', join(home, 'books.git'));
  git('config', 'user.email', 'ann@desk.example');
  git('config', 'user.name', 'Ann');
  git('add', '.');
  git('commit', '-qm', 'A desk');
  const printed = new Map<string, string>();
  const verbs = new Set<string>();
  const env = environment(home, wire, proxy);
  const note: Place['note'] = (what, { stdout, stderr }) => {
    printed.set(`${printed.size} stdout of ${what}`, stdout);
    printed.set(`${printed.size} stderr of ${what}`, stderr);
  };
  return {
    cwd,
    vault,
    searched: [cwd, home],
    env,
    wire,
    proxy,
    sshKey,
    printed,
    verbs,
    note,
    at: async (words, more = {}) => {
      const ended = await deskhand(words, { cwd, env: { ...env, ...more } });
      const shown = words.filter((word) => !word.startsWith('-'));
      verbs.add(shown[0] ?? '').add(shown.slice(0, 2).join(' '));
      note(words.join(' '), ended);
      return ended;
    },
  };
}

function environment(
  home: string,
  { baseUrl }: Wire,
  { url }: TestProxy,
): Readonly<Record<string, string>> {
  return {
    DESK_PROXY: url,
    HTTPS_PROXY: url,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, '.config'),
    DESKHAND_API_KEY: marks.key,
    DESKHAND_API_SECRET: marks.secret,
    DESKHAND_API_PASSPHRASE: marks.passphrase,
    DESKHAND_SECRET_OPS_WEBHOOK: `${baseUrl.replace('http:', 'https:')}/hook/${marks.hook}`,
    DESKHAND_SECRET_SIGNING: marks.signing,
    DESKHAND_SECRET_PROGRAM: marks.program,
    DESKHAND_STATE_TOKEN: marks.state,
    GITHUB_TOKEN: marks.comment,
  };
}

function filesFor({ baseUrl }: Wire, sshKey: string): Readonly<Record<string, string>> {
  const asking = 'approve: { by: anyone, signers: ./allowed_signers, records: approvals }';
  const profile = `base-url: "${baseUrl}", proxy: { env: DESK_PROXY }, notify: OPS_WEBHOOK, allow: { shell: true }`;
  return {
    'deskhand.yaml': `profile: main\nprofiles:\n  main: { ${profile} }\n  signed: { ${profile}, ${asking} }\n`,
    'git.yaml': `state: { store: git }\nprofile: main\nprofiles: { main: { ${profile} } }\n`,
    'remote.yaml': `state: { store: git, remote: "${baseUrl}/git/books" }\nprofile: main\nprofiles: { main: { ${profile} } }\n`,
    'embedded.yaml': 'profiles: { main: { allow: { shell: true } } }\n',
    allowed_signers: `ann@desk.example ${publicOf(sshKey)}\n`,
    '.gitignore': '.deskhand/\nout/\n',
    'all.yaml': playbook('all'),
    'failing.yaml': playbook('failing', 3),
    'more.yaml': playbook('more'),
    'doubtful.yaml': playbook('doubtful'),
    'planned.yaml': playbook('planned').replace('account: main', 'account: signed'),
    'wrong.yaml': playbook('wrong').replace('side: buy', 'side: Buy'),
    'ask.test.yaml': `playbook-test: 1\nplaybook: reading.yaml\ntests: [{ name: reads, expect: { exit: 0 } }]\n`,
    'reading.yaml':
      'playbook: 1\nname: reading\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n',
    'words.md': '<!-- deskhand plan main reading -->\n# a plan\n',
  };
}

/** The exchange knows the marked key as one of its own account for hedging. */
async function addMarkedKey(readyFile: string, controlUrl: string): Promise<void> {
  const { accounts } = JSON.parse(readFileSync(readyFile, 'utf8'));
  const answer = await fetch(`${controlUrl}/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      uid: accounts.hedge.uid,
      apiKey: marks.key,
      secretKey: marks.secret,
      passphrase: marks.passphrase,
      permissions: ['account-read', 'account-write', 'trade-read', 'trade-write', 'agent'],
    }),
  });
  if (!answer.ok) throw new Error(`the marked key was refused: ${await answer.text()}`);
}

/** A program that is asked for secrets, tells them, and fails. */
export function leakyProgram(vault: string): string {
  const path = join(vault, 'leaky.sh');
  const text = Object.values(marks)
    .map((mark) => `${mark}\n`)
    .join('');
  writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${text}END\ncat "$0" >&2\nexit 3\n`);
  chmodSync(path, 0o700);
  return path;
}
