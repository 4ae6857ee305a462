/** Keys and other secrets: from the environment, a private file, or a program; never from a flag. */
import { constants, open } from 'node:fs/promises';
import { parseEnv, promisify } from 'node:util';
import { second } from '../base/clock.ts';
import { DeskhandError, exits, messageOf } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import { listed } from '../base/text.ts';
import type { SecretSource } from '../base/secret-source.ts';
import { ownPrefix } from './profile.ts';

/** A key is missing or not stored safely; nothing was sent. */
export class CredentialError extends DeskhandError {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, {
      code: 'credentials',
      actor: 'operator',
      exit: exits.credentials,
      hint,
      cause,
    });
  }
}

export interface Credentials {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}

/** The displayed name of a key: the first 8 hex digits of its sha256. */
export function fingerprintOf(apiKey: Secret): string {
  return sha256(apiKey.reveal()).slice(0, 8);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Secrets by name, from one source. */
export interface SecretStore {
  /** `API_KEY`, `API_SECRET`, `API_PASSPHRASE`, or a name used by playbooks: `OPS_WEBHOOK`. */
  find(name: string): Secret | undefined;
  /** Every secret value of the source: none of them is ever shown. */
  all(): readonly Secret[];
  /** How to set a missing secret, for messages. */
  nameOf(name: string): string;
}

/** Opens a source. @throws CredentialError when a file is readable by others or a program fails */
export async function openSecrets(source: SecretSource, env: Environment): Promise<SecretStore> {
  switch (source.kind) {
    case 'env':
      return fromEnvironment(source.name, env);
    case 'file': {
      const text = await readPrivate(source.path, `the secrets file ${source.path}`);
      return fromText(text, `in ${source.path}`);
    }
    case 'exec':
      return fromText(await outputOf(source), `from ${source.words[0]}`);
  }
}

/**
 * One secret that is the whole content of its source: of a variable (or of the file named by the
 * variable with the suffix `_FILE`), of a private file, or what a program prints.
 * @param what it is, for messages
 * @throws CredentialError when it is missing, readable by others, or the program fails
 */
export async function secretIn(
  source: SecretSource,
  what: string,
  env: Environment,
): Promise<Secret> {
  const value = secretOf((await textOf(source, what, env))?.trim());
  if (value !== undefined) return value;
  const where = source.kind === 'env' ? `set ${source.name}` : 'its source is empty';
  throw new CredentialError(`${what} is not set`, where);
}

async function textOf(
  source: SecretSource,
  what: string,
  env: Environment,
): Promise<string | undefined> {
  switch (source.kind) {
    case 'env': {
      const path = env[`${source.name}_FILE`];
      return env[source.name] ?? (path === undefined ? undefined : readPrivate(path, what));
    }
    case 'file':
      return readPrivate(source.path, what);
    case 'exec':
      return outputOf(source);
  }
}

/** The three parts of a key. @throws CredentialError naming all missing ones */
export function credentialsIn(store: SecretStore, profile: string): Credentials {
  const apiKey = store.find('API_KEY');
  const secretKey = store.find('API_SECRET');
  const passphrase = store.find('API_PASSPHRASE');
  if (apiKey && secretKey && passphrase) return { apiKey, secretKey, passphrase };
  const missing = Object.entries({ API_KEY: apiKey, API_SECRET: secretKey })
    .concat([['API_PASSPHRASE', passphrase]])
    .filter(([, value]) => value === undefined)
    .map(([name]) => store.nameOf(name));
  throw new CredentialError(
    `profile ${profile}: ${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not set`,
    'set them in the environment, or name a file in the variable with _FILE appended',
  );
}

/** A variable, or the content of the file named by the variable with the suffix `_FILE`. */
async function fromEnvironment(prefix: string, env: Environment): Promise<SecretStore> {
  // Secrets of playbooks have their own prefix, so that a playbook cannot read arbitrary variables.
  const nameOf = (name: string): string =>
    keyNames.includes(name) ? `${prefix}${name}` : `${ownPrefix}SECRET_${name}`;
  const ours = (name: string): boolean =>
    name.startsWith(`${ownPrefix}SECRET_`) ||
    keyNames.some((key) => name === `${prefix}${key}_FILE`);
  const files = Object.keys(env).filter((name) => name.endsWith('_FILE') && ours(name));
  const read = await Promise.all(
    files.map(async (name) => {
      const text = await readPrivate(env[name] ?? '', `the file of ${name}`);
      return [name.replace(/_FILE$/, ''), text.trim()] as const;
    }),
  );
  const values = new Map(read);
  const named = Object.keys(env).filter(
    (name) => name.startsWith(`${ownPrefix}SECRET_`) && !name.endsWith('_FILE'),
  );
  const known = [...named, ...keyNames.map(nameOf), ...values.keys()];
  const valueOf = (name: string): Secret | undefined => secretOf(env[name] ?? values.get(name));
  return {
    find: (name) => valueOf(nameOf(name)),
    all: () => [...new Set(known)].flatMap((name) => valueOf(name) ?? []),
    nameOf,
  };
}

const keyNames = ['API_KEY', 'API_SECRET', 'API_PASSPHRASE'];

function fromText(text: string, where: string): SecretStore {
  const values = parseEnv(text);
  const find = (name: string): Secret | undefined =>
    secretOf(values[name] ?? values[`DESKHAND_${name}`]);
  const all = (): Secret[] => Object.values(values).flatMap((value) => secretOf(value) ?? []);
  return { find, all, nameOf: (name) => `${name} ${where}` };
}

function secretOf(value: string | undefined): Secret | undefined {
  return value === undefined || value === '' ? undefined : new Secret(value);
}

const bytesMax = 64 * 1024; // a key file is far smaller; a wrong path may be larger

/** Reads a file that only its owner may read. */
async function readPrivate(path: string, what: string): Promise<string> {
  const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // opening a pipe must not block
  const handle = await open(path, toRead).catch((error: unknown) => {
    throw new CredentialError(`${what} cannot be read`, messageOf(error), error);
  });
  try {
    const found = await handle.stat();
    const { mode, size } = found;
    if (!found.isFile()) {
      throw new CredentialError(`${what} is not a file: ${path}`, 'write the values to a file');
    }
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      throw new CredentialError(
        `${what} is readable by other users (mode ${shown})`,
        `chmod 600 ${path}`,
      );
    }
    if (size > bytesMax) throw new CredentialError(`${what} is larger than 64 KiB`, 'check it');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

type Program = Extract<SecretSource, { readonly kind: 'exec' }>;

async function outputOf({ words: [program, ...words], folder: cwd }: Program): Promise<string> {
  const { execFile } = await import('node:child_process');
  try {
    const options = { cwd, timeout: 30 * second, maxBuffer: bytesMax, windowsHide: true };
    const { stdout } = await promisify(execFile)(program, words, options);
    return stdout;
  } catch (error) {
    // The program's output may contain a secret: only its name and exit code are reported.
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CredentialError(
      `the program for secrets, ${program}, failed${code}`,
      'run it by hand to see why',
    );
  }
}
