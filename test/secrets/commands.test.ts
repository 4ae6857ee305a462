/** Secrets in the environment of every command, right and wrong, and given where none belongs. */
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { routesOf } from '../../src/serve/server/routes/index.ts';
import { begin } from '../cli/deskhand.ts';
import { agentIn } from '../cli/mcp-client.ts';
import { marks } from './marks.ts';
import { leakyProgram, type Place } from './place.ts';
import { loud, playAndSearch, verbsIn } from './search.ts';

test('no secret is written by commands, whatever keys they are given', async () => {
  const parts = [lookAround, wrongKeys, mistakes, databases, servers, pages, agents];
  await playAndSearch(parts, verbsIn.commands, { signatures: 40, written: 250 });
});

/** What only looks. */
async function lookAround({ at }: Place): Promise<void> {
  const lines = [
    ['help', 'environment'],
    ['version', '--json'],
    ['completion', 'bash'],
    ['explain', 'futures/place-order'],
    ['init', 'fresh', '--github', '--gitlab'],
    ['new', 'fresh', '--operation', 'order/list-open', '--with', 'category=SPOT', ...loud],
    ['validate', ...loud],
    ['validate', 'wrong.yaml', '-o', 'json'],
    ['fmt', 'more.yaml'],
    ['graph', 'all.yaml'],
    ['types', 'all.yaml'],
    ['lsp'],
    ['doctor', ...loud],
    ['doctor', '-o', 'json'],
    ['keys', 'list', ...loud],
    ['runs', 'prune', ...loud],
    ['test', 'ask.test.yaml', '--config', 'embedded.yaml'],
    ['rehearse', 'reading.yaml', '--seeds', '2', '--config', 'embedded.yaml'],
    ['call', 'market/list-tickers', 'category=SPOT', '--show-request', ...loud],
    ['call', 'order/list-open', 'category=SPOT', '--show-request', '-o', 'json', ...loud],
    ['schedule', 'list'],
    ['schedule', 'next'],
    ['schedule', 'export', '--systemd', '--out', 'units'],
    ['schedule', 'export', '--cron'],
    ['schedule', 'export', '--github'],
  ];
  const next = async (): Promise<void> => {
    for (let words = lines.shift(); words !== undefined; words = lines.shift()) await at(words);
  };
  await Promise.all([next(), next(), next()]); // each has a process, and starting one takes long
}

/** Keys that do not fit, each in its own way. */
async function wrongKeys({ at, vault, wire }: Place): Promise<void> {
  const leaky = leakyProgram(vault);
  const open = join(vault, 'open.env');
  writeFileSync(open, `API_KEY=${marks.key}\nAPI_SECRET=${marks.secret}\n`);
  chmodSync(open, 0o644); // used, with a warning
  const half = join(vault, 'half.env');
  writeFileSync(half, `API_KEY='${marks.wrong}'\n${marks.secret}\nAPI_SECRET\n`);
  chmodSync(half, 0o600);
  const address = `base-url: "${wire.baseUrl}"`;
  const profiles = [
    `{ ${address}, secrets: { exec: ["${leaky}"] } }`,
    `{ ${address}, secrets: { file: "${open}" } }`,
    `{ ${address}, secrets: { file: "${half}" } }`,
    `{ ${address}, secrets: { env: NOBODY } }`,
  ];
  const configs = profiles.map((profile, place) => {
    const path = join(vault, `keys-${place}.yaml`);
    writeFileSync(path, `profile: main\nprofiles: { main: ${profile} }\n`);
    return ['--config', path];
  });
  const wrong = [
    { DESKHAND_API_SECRET: marks.wrong },
    { DESKHAND_API_KEY: marks.wrong },
    { DESKHAND_API_PASSPHRASE: marks.wrong },
    { DESKHAND_API_KEY: `${marks.key} ` },
    { DESKHAND_API_PASSPHRASE: `${marks.passphrase}\n` },
    {
      DESKHAND_API_SECRET: `-----BEGIN PRIVATE KEY-----\n${marks.wrong}\n-----END PRIVATE KEY-----`,
    },
    { DESKHAND_API_SECRET: '', DESKHAND_API_SECRET_FILE: open },
  ];
  for (const words of [
    ['doctor', ...loud],
    ['run', 'more.yaml', ...loud],
  ]) {
    for (const config of configs) expect((await at([...words, ...config])).code).not.toBe(0);
    for (const env of wrong) expect((await at(words, env)).code).not.toBe(0);
  }
}

/** A database that is not there, with its password in the address. */
async function databases({ at, vault }: Place): Promise<void> {
  const config = join(vault, 'database.yaml');
  writeFileSync(config, 'state: { store: postgres, url: { env: DESK_DATABASE } }\n');
  const password = encodeURIComponent(marks.state);
  for (const address of [
    `postgres://ann:${password}@127.0.0.1:1/desk`,
    `postgres://ann:${password}@127.0.0.1:1/desk?sslmode=nothing`,
    `https://ann:${password}@127.0.0.1:1/desk`,
    marks.state,
  ]) {
    const env = { DESK_DATABASE: address };
    for (const words of [
      ['store', 'upgrade'],
      ['store', 'restored', '--yes'],
      ['doctor'],
      ['runs', 'list'],
      ['worker', '--once'],
      ['workers'],
      ['runs', 'cancel', 'r-1'],
    ]) {
      await at([...words, '--config', config, ...loud], env);
    }
    expect((await at(['store', 'upgrade', '--config', config], env)).code).not.toBe(0);
  }
}

/** Secrets given where none belongs. */
async function mistakes({ at, vault }: Place): Promise<void> {
  const { secret, hook } = marks;
  const texts = [
    `profiles: { main: { secrets: "${hook}" } }`,
    `profiles: { main: { secrets: { key: "${hook}" } } }`,
    `profiles: { main: { secrets: { exec: "run '${hook}'" } } }`,
    `profiles: { main: { api-secret: "${hook}" } }`,
    `profiles: { main: { notify: "https://hooks.example/${hook}" } }`,
    `profiles: { main: { base-url: "https://ann:${hook}@example.com" } }`,
    `profiles: { main: { base-url: "https//${hook}" } }`,
    `state: { store: git, remote: "https://ann:${hook}@example.com/x" }`,
    `state: { store: postgres, url: "postgres://ann:${hook}@example.com/x" }`,
    `profiles: "${hook}"`,
    `profiles: { main: { secrets: { file: "${hook}" `,
    `profiles:\n\t- ${hook}: ${hook}\n  ${hook}`,
    `profiles: { main: { target: ${hook} } }`,
  ];
  for (const [place, text] of texts.entries()) {
    const path = join(vault, `mistake-${place}.yaml`);
    writeFileSync(path, text);
    const { code } = await at(['doctor', '--config', path, '-o', 'json', ...loud]);
    expect([text, code]).not.toEqual([text, 0]);
  }
  for (const words of [
    ['--api-secret', secret],
    [`--api-secret=${secret}`],
    [`--secret=${secret}`],
    ['--passphrase', secret],
    ['-o', 'json', '--api-key', secret],
  ]) {
    const ended = await at(['run', 'all.yaml', ...words]);
    expect([words, ended.code]).toEqual([words, 2]);
  }
  for (const decision of ['former', 'other']) {
    expect(await at(['keys', decision, marks.key, ...loud])).toMatchObject({ code: 2 });
  }
  await at(['doctor', ...loud], { DESKHAND_BASE_URL: `https://ann:${hook}@example.com` });
  await at(['doctor', ...loud], { DESKHAND_BASE_URL: `http://example.com/${hook}` });
}

/** What stays up until it is stopped, and what talks to it. */
async function servers({ at, cwd, env, note, verbs: used, vault, wire }: Place): Promise<void> {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'desk/books',
    GITHUB_API_URL: `${wire.baseUrl}/github`,
    GITHUB_EVENT_PATH: join(vault, 'event.json'),
  };
  writeFileSync(join(vault, 'event.json'), JSON.stringify({ pull_request: { number: 1 } }));
  await at(['plan', 'reading.yaml', '-o', 'markdown']).then(({ stdout }) =>
    writeFileSync(join(cwd, 'plan.md'), stdout),
  );
  for (const status of [200, 401, 500]) {
    wire.behave({
      path: '/github/',
      respond: ({ authorization }) => ({
        status,
        headers: { 'content-type': 'application/json', location: `/${authorization}` },
        body: JSON.stringify([{ id: 1, body: authorization, message: authorization }]),
      }),
    });
    await at(['comment', 'plan.md', ...loud], github);
  }
  wire.behave();
  await at(['schedule', 'run-due', ...loud]);
  await at(['schedule', 'log', '-o', 'ndjson']);
  await at(['schedule', 'pause', 'all', '--reason', 'the desk is closed', ...loud]);
  await at(['schedule', 'resume', 'all', ...loud]);
  for (const words of [
    ['sandbox', 'start', '--port', '0', '--state', join(cwd, 'world'), ...loud],
    ['schedule', 'serve', '-o', 'ndjson', ...loud],
    ['store', 'serve', '--listen', '127.0.0.1:0', ...loud],
  ]) {
    used.add(words.slice(0, 2).join(' '));
    const child = begin(words, { cwd, env });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    await once(words[0] === 'sandbox' ? child.stdout : child.stderr, 'data');
    await at(['sandbox', 'control', 'requests']);
    child.kill('SIGTERM');
    const [stdout, stderr] = await said;
    note(words.join(' '), { stdout, stderr });
  }
  for (const words of [
    ['advance', '1h'],
    ['load', 'scenario.yaml'],
    ['control', 'faults'],
    ['control', 'ledger'],
    ['reset'],
  ]) {
    await at(['sandbox', ...words, '-p', 'sandbox', ...loud]);
  }
}

/** Every answer of the server that reads, by a signed-in person and by a stranger. */
async function pages({ at, cwd, env, note, verbs: used }: Place): Promise<void> {
  await at(['run', 'more.yaml']);
  used.add('serve');
  const child = begin(['serve', '--port', '0', ...loud], { cwd, env });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const link = await new Promise<URL>((resolve) => {
    const find = (data: Buffer): void => {
      const [found] = /http:\S+#token=\S+/.exec(String(data)) ?? [];
      if (found !== undefined) resolve(new URL(found));
    };
    child.stdout.on('data', find);
    child.stderr.on('data', find);
  });
  const { origin } = link;
  const signedIn = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: link.hash.slice('#token='.length) }),
  });
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const runs = JSON.parse((await at(['runs', 'list', '-o', 'json'])).stdout).runs;
  const parameters: Readonly<Record<string, string>> = {
    run: runs.at(-1).run,
    name: 'all',
    playbook: 'all',
    plan: 'p-00000000',
    account: 'main',
    profile: 'main',
  };
  for (const [name, { kind }] of routesOf(true)) {
    if (kind !== 'read') continue;
    const path = name
      .slice('GET '.length)
      .replaceAll(/\{(\w+)\}/g, (_, key) => parameters[key] ?? key);
    for (const headers of [{ cookie }, {}]) {
      const answer = await fetch(`${origin}/api/v1${path}`, { headers, redirect: 'manual' });
      note(name, { stdout: await answer.text(), stderr: '' });
    }
  }
  for (const path of ['/metrics', '/healthz', '/readyz', '/']) {
    note(path, { stdout: await (await fetch(`${origin}${path}`)).text(), stderr: '' });
  }
  child.kill('SIGTERM');
  const [stdout, stderr] = await said;
  note('serve', { stdout, stderr });
  await at(['serve', 'log']);
}

/** Every tool, with what the desk has, and with secrets as arguments. */
async function agents({ cwd, env, note, verbs: used }: Place): Promise<void> {
  used.add('mcp');
  const { call, client, heard, said } = await agentIn({ cwd, env }, loud);
  const given = [marks.key, marks.program, Buffer.from(marks.secret).toString('base64')];
  const calls: (readonly [string, Record<string, unknown>?])[] = [
    ['list_operations'],
    ['explain'],
    ['validate'],
    ...['all.yaml', 'reading.yaml', 'planned.yaml', 'wrong.yaml'].flatMap((file) => [
      ['plan', { file }] as const,
      ['propose', { file }] as const,
    ]),
    ['plan', { file: 'all.yaml', offline: true, save: 'proposals/all.json' }],
    ['list_runs'],
    ['show_run', { run: 'last', limit: 500 }],
    ['compare_runs', { run: 'last', other: 'last' }],
    ['propose', { run: 'last' }],
    ...given.flatMap((secret) => [
      ['explain', { topic: secret }] as const,
      ['validate', { text: `playbook: 1\nname: a\n${JSON.stringify(secret)}: 1\n` }] as const,
      ['plan', { file: 'reading.yaml', inputs: { [secret]: secret } }] as const,
      [secret] as const,
    ]),
  ];
  for (const [name, args = {}] of calls) await call(name, args);
  expect(await call('plan', { file: 'all.yaml' })).toMatchObject({ isError: false });
  await client.close();
  note('mcp', { stdout: heard.join('\n'), stderr: said() });
}
