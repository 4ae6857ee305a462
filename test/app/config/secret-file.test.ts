/** Files of secrets with the modes that people and platforms give them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CredentialError } from '../../../src/app/config/credential-error.ts';
import {
  reportingOpenSecretFiles,
  type OpenSecretFile,
} from '../../../src/app/config/secret-file.ts';
import { credentialsIn, openSecrets, secretIn } from '../../../src/app/config/secrets.ts';

/** Does work, and returns what it reported. */
async function reportsOf(work: () => Promise<void>): Promise<readonly OpenSecretFile[]> {
  const reported: OpenSecretFile[] = [];
  await reportingOpenSecretFiles((file) => reported.push(file), work);
  return reported;
}

function fileWith(text: string, mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'd'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** Everything that reads a secret from a file. */
const readers: readonly (readonly [string, (path: string) => Promise<string | undefined>])[] = [
  [
    'secrets: { file }',
    async (path) => (await openSecrets({ kind: 'file', path }, {})).find('API_KEY')?.reveal(),
  ],
  [
    'DESKHAND_API_KEY_FILE',
    async (path) => {
      const source = { kind: 'env', name: 'DESKHAND_' } as const;
      return (await openSecrets(source, { DESKHAND_API_KEY_FILE: path })).find('API_KEY')?.reveal();
    },
  ],
  [
    'DESKHAND_SECRET_API_HOOK_FILE',
    async (path) => {
      const source = { kind: 'env', name: 'DESKHAND_' } as const;
      const env = { DESKHAND_SECRET_API_HOOK_FILE: path };
      return (await openSecrets(source, env)).find('API_HOOK')?.reveal();
    },
  ],
  [
    'url: { file }',
    async (path) => (await secretIn({ kind: 'file', path }, 'state.url', {})).reveal(),
  ],
  [
    'url: { env } with its _FILE',
    async (path) =>
      (await secretIn({ kind: 'env', name: 'DB' }, 'state.url', { DB_FILE: path })).reveal(),
  ],
];
const content = 'API_KEY=in-the-file\n';

describe.each(readers)('%s', (_, read) => {
  test.each([0o600, 0o400, 0o700, 0o500])('of mode %o is used', async (mode) => {
    const reported = await reportsOf(async () => {
      expect(await read(fileWith(content, mode))).toContain('in-the-file');
    });
    expect(reported).toEqual([]);
  });

  test.each([0o440, 0o444, 0o404, 0o640, 0o644])(
    'of mode %o is used, with one warning',
    async (mode) => {
      const path = fileWith(content, mode);
      const reported = await reportsOf(async () => {
        for (let times = 0; times < 3; times++) expect(await read(path)).toContain('in-the-file');
      });
      const shown = mode.toString(8).padStart(4, '0');
      expect(reported).toEqual([
        {
          message: expect.stringContaining(
            ` is readable by other users (mode ${shown}), who could use the secret`,
          ),
          hint: `chmod 600 ${path}; in a container that has no other users, this is not a risk`,
        },
      ]);
      expect(JSON.stringify(reported)).not.toContain('in-the-file');
    },
  );

  test.each([0o620, 0o602, 0o660, 0o664, 0o606, 0o666, 0o777, 0o420])(
    'of mode %o is refused',
    async (mode) => {
      const path = fileWith(content, mode);
      const shown = mode.toString(8).padStart(4, '0');
      const reported = await reportsOf(async () => {
        const refused = read(path);
        await expect(refused).rejects.toThrow(CredentialError);
        await expect(refused).rejects.toMatchObject({
          message: expect.stringContaining(` can be changed by other users (mode ${shown})`),
          hint: `chmod 600 ${path}`,
        });
      });
      expect(reported).toEqual([]);
    },
  );
});

test('a link is followed, as Kubernetes mounts a secret, and the mode of the file counts', async () => {
  const volume = mkdtempSync(join(tmpdir(), 'd'));
  onTestFinished(() => rmSync(volume, { recursive: true }));
  const mount = (version: string, text: string, mode: number): void => {
    mkdirSync(join(volume, version));
    writeFileSync(join(volume, version, 'url'), text);
    chmodSync(join(volume, version, 'url'), mode);
    rmSync(join(volume, '..data'), { force: true });
    symlinkSync(version, join(volume, '..data'));
  };
  mount('..2026_11_20', 'first', 0o400);
  symlinkSync(join('..data', 'url'), join(volume, 'url'));
  const source = { kind: 'file', path: join(volume, 'url') } as const;
  expect((await secretIn(source, 'state.url', {})).reveal()).toBe('first');
  mount('..2026_11_21', 'second', 0o440); // rotated
  const reported = await reportsOf(async () => {
    expect((await secretIn(source, 'state.url', {})).reveal()).toBe('second');
  });
  expect(reported).toHaveLength(1);
  mount('..2026_11_22', 'third', 0o460);
  await expect(secretIn(source, 'state.url', {})).rejects.toThrow('can be changed by other users');
});

test('a folder, a missing file and one that is too large are refused', async () => {
  const folder = join(fileWith('', 0o600), '..');
  const source = (path: string) => ({ kind: 'file', path }) as const;
  await expect(secretIn(source(folder), 'state.url', {})).rejects.toThrow('is not a file');
  await expect(secretIn(source(join(folder, 'no')), 'state.url', {})).rejects.toThrow(
    'cannot be read',
  );
  const large = source(fileWith('a'.repeat(64 * 1024 + 1), 0o600));
  await expect(secretIn(large, 'state.url', {})).rejects.toThrow('larger than 64 KiB');
});

test('works at the same time report the files that they read themselves', async () => {
  const [first, second] = [fileWith('first-one', 0o444), fileWith('second-one', 0o444)];
  const read = async (path: string): Promise<void> => {
    await secretIn({ kind: 'file', path }, 'state.url', {});
  };
  const hints = await Promise.all([
    reportsOf(() => read(first)),
    reportsOf(() => read(second)),
    reportsOf(async () => {
      await Promise.all([read(first), read(second)]);
    }),
  ]);
  await read(first); // reported to nobody
  expect(hints.map((each) => each.map(({ hint }) => hint.split(' ')[2]?.replace(';', '')))).toEqual(
    [[first], [second], expect.arrayContaining([first, second])],
  );
});

test.each([
  ['a byte order mark', '\u{feff}API_KEY=in-the-file\n'],
  ['lines that end as on Windows', 'API_KEY=in-the-file\r\nAPI_SECRET=x\r\n'],
  ['no end of the last line', 'API_KEY=in-the-file'],
])('a file with %s is read', async (_, text) => {
  const all = await openSecrets({ kind: 'file', path: fileWith(text, 0o600) }, {});
  expect(all.find('API_KEY')?.reveal()).toBe('in-the-file');
  const value = fileWith(text.replace('API_KEY=', '').replace(/API_SECRET.*/s, ''), 0o600);
  const found = await secretIn({ kind: 'file', path: value }, 'state.url', {});
  expect(found.reveal()).toBe('in-the-file');
});

test.each(['', '\n', '\u{feff}\r\n'])('an empty file is named: %j', async (text) => {
  const env = { DESKHAND_API_KEY_FILE: fileWith(text, 0o600) };
  const store = await openSecrets({ kind: 'env', name: 'DESKHAND_' }, env);
  expect(() => credentialsIn(store, 'main')).toThrow(
    'profile main: DESKHAND_API_KEY (the file of DESKHAND_API_KEY_FILE is empty), DESKHAND_API_SECRET and DESKHAND_API_PASSPHRASE are not set',
  );
});

test('the command that closes a file can be copied, whatever its name is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'd'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "it's; echo");
  writeFileSync(path, content);
  const open = async (mode: number): Promise<void> => {
    chmodSync(path, mode);
    await openSecrets({ kind: 'file', path }, {});
  };
  const hint = `chmod 600 '${folder}/it'\\''s; echo'`;
  await expect(open(0o666)).rejects.toMatchObject({ hint });
  const reported = await reportsOf(() => open(0o644));
  expect(reported.map((file) => file.hint)).toEqual([expect.stringContaining(`${hint}; in a`)]);
});
