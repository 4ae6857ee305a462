import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { plan, resume, run, Secret, type AccountKey, type RunEvent } from '../../../src/index.ts';
import { deskhand } from '../../cli/deskhand.ts';
import { startSandbox } from '../../cli/sandbox.ts';
import { folder, pauseFirst, type Where } from './options.ts';

/** A folder whose profile main is an account of an exchange over HTTP, and the key of the account. */
async function overHttp(target: 'sandbox' | 'live'): Promise<Where & { readonly key: AccountKey }> {
  const sandbox = await startSandbox();
  const account = `target: ${target}, base-url: "${sandbox.baseUrl}", account-id: desk`;
  const reading =
    'playbook: 1\nname: reading\naccount: main\nsteps: [{ id: open, uses: order/list-open, with: { category: USDT-FUTURES } }]\n';
  const where = folder({
    'deskhand.yaml': `profiles: { main: { ${account} } }\n`,
    'reading.yaml': reading,
  });
  const env = sandbox.env('hedge');
  const part = (name: string): string => env[name] ?? '';
  const key = {
    apiKey: part('DESKHAND_API_KEY'),
    secretKey: part('DESKHAND_API_SECRET'),
    passphrase: part('DESKHAND_API_PASSPHRASE'),
  };
  return { ...where, key };
}

describe('the key of an account', () => {
  test('is given by value, as a text or as a secret', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const asText = { credentials: { main: key }, ...where };
    const { destination } = await plan({ playbook: 'ladder.yaml', ...asText });
    expect(destination).toMatchObject({ profile: 'main', keyFingerprint: expect.any(String) });
    const secret = {
      apiKey: new Secret(String(key.apiKey)),
      secretKey: new Secret(String(key.secretKey)),
      passphrase: new Secret(String(key.passphrase)),
    };
    const options = { playbook: 'ladder.yaml', credentials: { main: secret }, ...where };
    expect(await run(options).result).toMatchObject({ status: 'done' });
  });

  test('is in files that others may read: each run has its own notice of its own files', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const starts = ['one', 'two'].map((name) => {
      const path = (part: keyof AccountKey): string => {
        const file = join(where.cwd, `${name}-${part}`);
        writeFileSync(file, String(key[part]), { mode: 0o644 });
        return file;
      };
      const env = {
        ...where.env,
        DESKHAND_API_KEY_FILE: path('apiKey'),
        DESKHAND_API_SECRET_FILE: path('secretKey'),
        DESKHAND_API_PASSPHRASE_FILE: path('passphrase'),
      };
      const stateDir = join(where.cwd, name);
      return run({ playbook: 'reading.yaml', cwd: where.cwd, env, stateDir }).result;
    });
    const ended = await Promise.all(starts);
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done']);
    const files = ended.map(({ notices }) =>
      notices.flatMap(({ help = '' }) => /^chmod 600 .*\/(\w+)-\w+;/.exec(help)?.[1] ?? []),
    );
    expect(files).toEqual([Array(3).fill('one'), Array(3).fill('two')]);
  });

  test('given by value needs nothing of the source, unless the playbook names another secret', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const file = join(where.cwd, 'deskhand.yaml');
    const config = readFileSync(file, 'utf8');
    writeFileSync(file, config.replace('{ target', '{ secrets: { file: none }, target'));
    const options = { credentials: { main: key }, ...where };
    const ended = await run({ playbook: 'reading.yaml', ...options }).result;
    expect(ended).toMatchObject({ status: 'done' });
    const notice = `  - { id: say, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: x } }\n`;
    const saying = `playbook: 1\nname: saying\naccount: main\nsteps:\n${notice}`;
    writeFileSync(join(where.cwd, 'saying.yaml'), saying);
    const refused = await run({ playbook: 'saying.yaml', ...options }).result;
    const message = expect.stringMatching(/^the secrets file .*none cannot be read$/);
    expect(refused).toMatchObject({ status: 'refused', exit: 4, error: { message } });
  });

  test('is printed by a program, which gets the variables of the call', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const { apiKey, secretKey, passphrase } = key;
    const lines = `API_KEY=${apiKey}\nAPI_SECRET=${secretKey}\nAPI_PASSPHRASE=${passphrase}\n`;
    const program = JSON.stringify([process.execPath, '-p', 'process.env.VAULT_OF_A_TEST']);
    const file = join(where.cwd, 'deskhand.yaml');
    const config = readFileSync(file, 'utf8').replace(
      '{ target',
      `{ secrets: { exec: ${program} }, target`,
    );
    writeFileSync(file, config);
    const env = { ...where.env, VAULT_OF_A_TEST: lines };
    const ended = await run({ playbook: 'reading.yaml', cwd: where.cwd, env }).result;
    expect(ended).toMatchObject({ status: 'done' });
  });

  test('is missing: nothing is sent', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const none = await run({ playbook: 'ladder.yaml', ...where }).result;
    expect(none).toMatchObject({ status: 'refused', exit: 4, error: { code: 'credentials' } });
    const credentials = { main: { ...key, passphrase: '' } };
    const part = await run({ playbook: 'ladder.yaml', credentials, ...where }).result;
    expect(part).toMatchObject({ status: 'refused', exit: 3, error: { code: 'config' } });
    const other = await run({ playbook: 'ladder.yaml', credentials: { none: key }, ...where })
      .result;
    expect(other).toMatchObject({ status: 'refused', exit: 3, error: { code: 'config' } });
  });

  test('is in no event, outcome or error', async () => {
    const { key, ...where } = await overHttp('sandbox');
    const shown: unknown[] = [];
    const wrong = { ...key, secretKey: 'wrong-secret-of-a-test' };
    for (const credentials of [{ main: wrong }, { main: key }]) {
      const going = run({ playbook: 'ladder.yaml', credentials, ...where });
      const events: RunEvent[] = [];
      for await (const event of going) events.push(event);
      shown.push(events, await going.result);
    }
    const inputs = { rungs: String(key.secretKey) };
    const given = { playbook: 'ladder.yaml', inputs, credentials: { main: key }, ...where };
    shown.push(await run(given).result, await plan(given).catch((error: unknown) => error));
    const text = `${inspect(shown, { depth: 20, showHidden: true })} ${JSON.stringify(shown)}`;
    for (const part of [key.secretKey, key.passphrase, wrong.secretKey, key.apiKey]) {
      expect(text).not.toContain(String(part).slice(0, 16)); // an error may quote only the beginning
    }
    expect(text).toContain("status: 'done'");
    expect(text).toContain('exit: 4');
  });
});

describe('a live account', () => {
  test('is written to only with an approval', async () => {
    const { key, ...where } = await overHttp('live');
    const options = { credentials: { main: key }, ...where };
    writeFileSync(join(where.cwd, 'pause-first.yaml'), pauseFirst);
    const made = await plan({ playbook: 'pause-first.yaml', ...options });
    const refused = await run({ plan: made, ...options }).result;
    expect(refused).toMatchObject({ status: 'refused', exit: 5, error: { code: 'approval' } });
    const other = await run({ plan: made, approve: 'p-00000000', ...options }).result;
    expect(other).toMatchObject({ status: 'refused', exit: 5, error: { code: 'approval' } });

    const going = run({ plan: made, approve: made.id, ...options });
    for await (const event of going) if (event.kind === 'opened' && event.step === 'pause') break;
    expect(await going.result).toMatchObject({ status: 'interrupted', run: made.run });
    const rest = await resume({ run: made.run ?? '', ...options }).result;
    expect(rest).toMatchObject({ status: 'refused', exit: 5, error: { code: 'approval' } });
  });

  test('that requires a signature is not satisfied by an id', async () => {
    const { key, ...where } = await overHttp('live');
    const file = join(where.cwd, 'deskhand.yaml');
    const config = readFileSync(file, 'utf8').replace(
      'account-id: desk',
      'account-id: desk, approve: { signers: signers, by: anyone }',
    );
    writeFileSync(file, config);
    writeFileSync(join(where.cwd, 'signers'), '');
    const options = { credentials: { main: key }, ...where };
    const made = await plan({ playbook: 'ladder.yaml', ...options });
    const ended = await run({ plan: made, approve: made.id, ...options }).result;
    expect(ended).toMatchObject({ status: 'refused', exit: 5, error: { code: 'approval' } });
    const { stderr } = await deskhand(['run', made.id, '--approve', made.id], where);
    expect(stderr).toContain('error[');
  });
});
