import { chmodSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DeskhandError } from '../../src/base/error.ts';
import { chooseProfile, loadConfig, profileNamed } from '../../src/app/config/load.ts';
import { parseConfig } from '../../src/app/config/parse.ts';

const beside = (path: string) => ({ file: path, text: 'writes: 7\n' });
import { credentialsIn, openSecrets } from '../../src/app/config/secrets.ts';
import { folderWith } from './deskhand.ts';

test.each(['deskhand.yml', '.deskhand.yaml'])(
  'a configuration named %s is refused, with and without a correct one',
  async (name) => {
    for (const more of [{}, { 'deskhand.yaml': '{}\n' }]) {
      const folder = folderWith({ [name]: 'profiles: {}\n', ...more });
      const file = join(folder, name);
      expect(await refused(loadConfig({ cwd: folder, env: {} }))).toBe(
        `exit 3 [config] ${file} is ignored: the configuration file is deskhand.yaml | rename it to deskhand.yaml, or name it with --config`,
      );
      expect(await loadConfig({ cwd: folder, env: {}, file })).toMatchObject({ file });
    }
  },
);

/** An error's text and exit code. */
function said(error: unknown): string {
  if (!(error instanceof DeskhandError)) throw error;
  return `exit ${error.exit} [${error.code}] ${error.message}${error.hint ? ` | ${error.hint}` : ''}`;
}

function refusal(text: string): string {
  try {
    parseConfig(text, 'deskhand.yaml', beside);
  } catch (error) {
    return said(error);
  }
  throw new Error('it was accepted');
}

async function refused(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'it was accepted', said);
}

describe('deskhand.yaml', () => {
  test('an empty profile is the built-in sandbox', () => {
    const { profiles } = parseConfig('profiles:\n  sandbox: {}\n', 'deskhand.yaml', beside);
    expect(profiles.get('sandbox')).toMatchObject({ target: 'sandbox', as: 'hedge' });
  });

  test('a remote address is live by default', () => {
    const text = 'profiles:\n  main: { base-url: https://api.exchange.example }\n';
    expect(parseConfig(text, 'f', beside).profiles.get('main')).toMatchObject({
      target: 'live',
      onDoubt: 'ask',
    });
  });

  test('a loopback address is a sandbox by default', () => {
    const text =
      'profiles:\n  a: { base-url: "http://127.0.0.1:8788" }\n  b: { base-url: "http://localhost:1", target: live }\n';
    const { profiles } = parseConfig(text, 'f', beside);
    expect([profiles.get('a')?.target, profiles.get('b')?.target]).toEqual(['sandbox', 'live']);
  });

  test('secrets are found relative to the configuration file from any working folder', async () => {
    const from = (source: string) =>
      parseConfig(
        `profiles: { a: { secrets: ${source} } }`,
        '/desk/deskhand.yaml',
        beside,
      ).profiles.get('a')?.secrets;
    expect(from('{ file: keys/main.env }')).toEqual({ kind: 'file', path: '/desk/keys/main.env' });
    expect(from('{ file: ~/main.env }')).toMatchObject({ path: join(homedir(), 'main.env') });
    expect(from('{ exec: [./keys] }')).toEqual({
      kind: 'exec',
      words: ['./keys'],
      folder: '/desk',
    });

    const folder = folderWith({ keys: '#!/bin/sh\necho API_KEY=here\n' });
    chmodSync(join(folder, 'keys'), 0o700);
    const store = await openSecrets({ kind: 'exec', words: ['./keys'], folder }, {});
    expect(store.find('API_KEY')?.reveal()).toBe('here');
  });

  test('guards accept percentages', () => {
    const text =
      'profiles:\n  a:\n    guards: { notional: 50000, order: "15000.5", distance: 5%, writes: 50, symbols: [BTCUSDT] }\n';
    expect(parseConfig(text, 'f', beside).profiles.get('a')?.guards).toEqual({
      maxNotional: '50000',
      maxOrderNotional: '15000.5',
      maxDistance: '0.05',
      maxWrites: 50,
      symbols: ['BTCUSDT'],
    });
  });

  test.each([
    ['profile: [a]'],
    ['profils: {}'],
    ['profiles: { main: { target: liv } }'],
    ['profiles: { main: { target: live } }'],
    ['profiles: { main: { target: sandbox, base-url: "https://api.exchange.example" } }'],
    ['profiles: { main: { base-url: "http://api.exchange.example" } }'],
    ['profiles: { main: { base-url: "https://user:pass@api.exchange.example" } }'],
    ['profiles: { main: { base-url: "https://api.exchange.example/v2" } }'],
    ['profiles: { main: { base-url: nonsense } }'],
    ['profiles: { main: { as: hegde } }'],
    ['profiles: { main: { secrets: { api-key: abc } } }'],
    ['profiles: { main: { secrets: {} } }'],
    ['profiles: { main: { secrets: { exec: "op inject | cat" } } }'],
    ['profiles: { main: { guards: { notional: "1e6" } } }'],
    ['profiles: { main: { guards: { distance: five } } }'],
    ['profiles: { "a b": {} }'],
    ['profiles: { main: 3 }'],
    ['state: { store: git, ref: refs/heads/desk-witness }'],
  ])('%s is refused with its location', (text) => {
    expect(refusal(text)).toMatchSnapshot();
  });
});

describe('the profile of a playbook', () => {
  test('without deskhand.yaml every account is the built-in sandbox, and a note says so', async () => {
    const config = await loadConfig({ cwd: folderWith(), env: {} });
    const { profile, note } = chooseProfile(config, { account: 'main' });
    expect([profile.name, note]).toEqual([
      'sandbox',
      'no deskhand.yaml: account main is the profile sandbox',
    ]);
  });

  test('with deskhand.yaml an unknown account is an error with a suggestion', async () => {
    const cwd = folderWith({ 'deskhand.yaml': 'profiles: { mm-main: {} }\n' });
    const config = await loadConfig({ cwd, env: {} });
    const choose = async (): Promise<unknown> => chooseProfile(config, { account: 'mm-man' });
    expect(await refused(choose())).toContain('did you mean mm-main?');
  });

  test('a flag overrides the playbook', async () => {
    const cwd = folderWith({ 'deskhand.yaml': 'profiles: { main: { as: oneway } }\n' });
    const config = await loadConfig({ cwd, env: {} });
    const { profile } = chooseProfile(config, { flag: 'sandbox', account: 'main' });
    expect(profile.name).toBe('sandbox');
  });

  test('environment variables define their own profile', async () => {
    const env = { DESKHAND_BASE_URL: 'http://127.0.0.1:9' };
    const config = await loadConfig({ cwd: folderWith(), env });
    expect(profileNamed(config, config.initial)).toMatchObject({
      name: 'environment',
      target: 'sandbox',
    });
  });

  test('the file is found from a subfolder, and the state is stored next to it', async () => {
    const cwd = folderWith({
      'deskhand.yaml': 'profile: main\nprofiles: { main: {} }\n',
      'a/b/x': '',
    });
    const config = await loadConfig({ cwd: join(cwd, 'a', 'b'), env: {} });
    expect([config.initial, config.stateDir]).toEqual(['main', join(cwd, '.deskhand')]);
  });

  test('the user’s own file is used only without one in the project', async () => {
    const cwd = folderWith({
      'deskhand.yaml': 'profiles: { shared: { as: agent } }\n',
      'home/deskhand/config.yaml':
        'profile: mine\nprofiles: { mine: { as: leader }, shared: { as: leader } }\n',
    });
    const config = await loadConfig({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'home') } });
    expect([config.initial, profileNamed(config, 'shared').as]).toEqual(['mine', 'agent']);
  });
});

describe('secrets', () => {
  const env = { kind: 'env', name: 'DESKHAND_' } as const;

  test('every missing part of a key is named', async () => {
    const store = await openSecrets(env, { DESKHAND_API_KEY: 'a-key' });
    const find = async (): Promise<unknown> => credentialsIn(store, 'main');
    expect(await refused(find())).toMatchInlineSnapshot(
      `"exit 4 [credentials] profile main: DESKHAND_API_SECRET and DESKHAND_API_PASSPHRASE are not set | set them in the environment, or name a file in the variable with _FILE appended"`,
    );
  });

  test('missing parts of a secrets file are to be added there', async () => {
    const path = join(folderWith(), 'keys.env');
    writeFileSync(path, 'API_KEY=a-key-123\nAPI_SECRET=\n', { mode: 0o600 });
    const store = await openSecrets({ kind: 'file', path }, {});
    const find = async (): Promise<unknown> => credentialsIn(store, 'main');
    expect(await refused(find())).toBe(
      `exit 4 [credentials] profile main: API_SECRET in ${path} and API_PASSPHRASE in ${path} are not set | add a line for each to ${path}, as API_KEY=…`,
    );
  });

  test('a part may be in its own file', async () => {
    const cwd = folderWith();
    const path = join(cwd, 'secret');
    writeFileSync(path, 'from-a-file\n', { mode: 0o600 });
    const given = {
      DESKHAND_API_KEY: 'a-key',
      DESKHAND_API_SECRET_FILE: path,
      DESKHAND_API_PASSPHRASE: 'a-phrase',
    };
    const { secretKey } = credentialsIn(await openSecrets(env, given), 'main');
    expect(secretKey.reveal()).toBe('from-a-file');
  });

  test('a program prints them as lines, without a shell', async () => {
    const words = [
      process.execPath,
      '-p',
      '"API_KEY=a-key\\nAPI_SECRET=a-secret\\nAPI_PASSPHRASE=a-phrase"',
    ] as const;
    const store = await openSecrets({ kind: 'exec', words, folder: tmpdir() }, {});
    expect(credentialsIn(store, 'main').passphrase.reveal()).toBe('a-phrase');
  });

  test('the output of a failing program is not shown', async () => {
    const words = [process.execPath, '-e', 'console.error("hunter2"); process.exit(3)'] as const;
    const message = await refused(openSecrets({ kind: 'exec', words, folder: tmpdir() }, {}));
    expect(message).not.toContain('hunter2');
    expect(message).toContain('failed (3)');
  });

  test('secrets of playbooks have their own prefix', async () => {
    const store = await openSecrets(env, { DESKHAND_SECRET_HOOK: 'https://x', HOME: '/h' });
    expect(store.find('HOOK')?.reveal()).toBe('https://x');
    expect(store.find('HOME')).toBeUndefined();
  });
});
