/** Keys and other secrets: from the environment, a file, or a program; never from a flag. */
import { promisify } from 'node:util';
import { second } from '../../base/clock.ts';
import { sha256 } from '../../base/json.ts';
import { canBeMasked } from '../../base/secret-parts.ts';
import { Secret } from '../../base/secret.ts';
import { listed } from '../../base/text.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { CredentialError } from './credential-error.ts';
import type { Credentials } from './credentials.ts';
import { ownPrefix, type Profile } from './profile.ts';
import { readSecretFile } from './secret-file.ts';
import { secretLines } from './secret-lines.ts';

/** The displayed name of a key: the first 8 hex digits of its sha256. */
export function fingerprintOf(apiKey: Secret): string {
  return sha256(apiKey.reveal()).slice(0, 8);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Secrets by name, from one source. */
export interface SecretStore {
  /** Finds `API_KEY`, `API_SECRET`, `API_PASSPHRASE`, or a name used by playbooks: `OPS_WEBHOOK`. */
  find(name: string): Secret | undefined;
  /** Every secret value of the source: none of them is ever shown. */
  all(): readonly Secret[];
  /** The name of a missing secret with its place, for messages. */
  nameOf(name: string): string;
  /** How to set the missing secrets. */
  readonly help: string;
}

/**
 * Opens a source. A secret that appears in any text, such as `true` or `42`, is refused when it is
 * looked up: it cannot be masked.
 * @throws CredentialError when others may change a file, a line of it is unclear, or a program fails
 */
export async function openSecrets(source: SecretSource, env: Environment): Promise<SecretStore> {
  return maskable(await storeOf(source, env));
}

async function storeOf(source: SecretSource, env: Environment): Promise<SecretStore> {
  switch (source.kind) {
    case 'env':
      return fromEnvironment(source.name, env);
    case 'file': {
      const text = await readSecretFile(source.path, `the secrets file ${source.path}`);
      const help = `add a line for each to ${source.path}, as API_KEY=…`;
      return fromText(text, `in ${source.path}`, help);
    }
    case 'exec': {
      const [program] = source.words;
      const help = `let ${program} print a line for each, as API_KEY=…`;
      return fromText(await outputOf(source, env), `from ${program}`, help);
    }
  }
}

function maskable(store: SecretStore): SecretStore {
  return {
    ...store,
    find: (name) => {
      const found = store.find(name);
      if (found !== undefined) refuseUnmasked(found, store.nameOf(name));
      return found;
    },
  };
}

/** @throws CredentialError */
function refuseUnmasked(secret: Secret, what: string): void {
  if (canBeMasked(secret.reveal())) return;
  throw new CredentialError(
    `${what} is too short or too ordinary for a secret: it could not be masked in output`,
    'use one of at least 8 characters; 4 are accepted unless they are a number or a word such as "true"',
  );
}

/**
 * Opens the source of a profile's secrets. A key that was given by value replaces that of the source; if the
 * source cannot be opened, the profile has no other secrets.
 * @throws CredentialError as `openSecrets`; with a key given by value only when another secret is read
 */
export async function secretsOf(
  { secrets, credentials }: Pick<Profile, 'secrets' | 'credentials'>,
  env: Environment,
): Promise<SecretStore> {
  if (credentials === undefined) return openSecrets(secrets, env);
  const store = await openSecrets(secrets, env).catch(unopened);
  const { apiKey, secretKey, passphrase } = credentials;
  const given: Readonly<Record<string, Secret>> = {
    API_KEY: apiKey,
    API_SECRET: secretKey,
    API_PASSPHRASE: passphrase,
  };
  return maskable({
    ...store,
    find: (name) => (keyNames.includes(name) ? given[name] : store.find(name)),
    all: () => [...Object.values(given), ...store.all()],
  });
}

function unopened(error: unknown): SecretStore {
  if (!(error instanceof CredentialError)) throw error;
  const find = (): never => {
    throw error;
  };
  return { find, all: () => [], nameOf: (name) => name, help: environmentHelp };
}

/**
 * One secret that is the whole content of its source: of a variable (or of the file named by the variable
 * with the suffix `_FILE`), of a file, or of the output of a program.
 * @param what the secret, for messages
 * @throws CredentialError when it is missing, others may change the file, or the program fails
 */
export async function secretIn(
  source: SecretSource,
  what: string,
  env: Environment,
): Promise<Secret> {
  const value = secretOf((await textOf(source, what, env))?.trim());
  if (value !== undefined) {
    refuseUnmasked(value, what);
    return value;
  }
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
      return env[source.name] ?? (path === undefined ? undefined : readSecretFile(path, what));
    }
    case 'file':
      return readSecretFile(source.path, what);
    case 'exec':
      return outputOf(source, env);
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
    store.help,
  );
}

/**
 * Secrets of the environment: of a variable, or of the file named by the variable with the suffix `_FILE`.
 */
async function fromEnvironment(prefix: string, env: Environment): Promise<SecretStore> {
  // Secrets of playbooks have their own prefix, so that a playbook cannot read arbitrary variables.
  const variableOf = (name: string): string =>
    keyNames.includes(name) ? `${prefix}${name}` : secretVariable(name);
  const ours = (name: string): boolean =>
    name.startsWith(`${ownPrefix}SECRET_`) ||
    keyNames.some((key) => name === `${prefix}${key}_FILE`);
  const files = Object.keys(env).filter((name) => name.endsWith('_FILE') && ours(name));
  const read = await Promise.all(
    files.map(async (name) => {
      const text = await readSecretFile(env[name] ?? '', `the file of ${name}`);
      return [name.replace(/_FILE$/, ''), text.trim()] as const;
    }),
  );
  const values = new Map(read);
  const named = Object.keys(env).filter(
    (name) => name.startsWith(`${ownPrefix}SECRET_`) && !name.endsWith('_FILE'),
  );
  const known = [...named, ...keyNames.map(variableOf), ...values.keys()];
  const valueOf = (name: string): Secret | undefined => secretOf(env[name] ?? values.get(name));
  return {
    find: (name) => valueOf(variableOf(name)),
    all: () => [...new Set(known)].flatMap((name) => valueOf(name) ?? []),
    nameOf: (name) => {
      const variable = variableOf(name);
      const isEmpty = env[variable] === undefined && values.get(variable) === '';
      return isEmpty ? `${variable} (the file of ${variable}_FILE is empty)` : variable;
    },
    help: environmentHelp,
  };
}

const environmentHelp =
  'set them in the environment, or name a file in the variable with _FILE appended';
const keyNames = ['API_KEY', 'API_SECRET', 'API_PASSPHRASE'];

/** The variables of an account's key. */
export function keyVariables(prefix: string): readonly string[] {
  return keyNames.map((name) => `${prefix}${name}`);
}

/** The variable of a secret that a playbook or a profile names. */
export function secretVariable(name: string): string {
  return `${ownPrefix}SECRET_${name}`;
}

function fromText(text: string, where: string, help: string): SecretStore {
  const values = secretLines(text, where);
  const find = (name: string): Secret | undefined =>
    secretOf(values.get(name) ?? values.get(`DESKHAND_${name}`));
  const all = (): Secret[] => [...values.values()].flatMap((value) => secretOf(value) ?? []);
  return { find, all, nameOf: (name) => `${name} ${where}`, help };
}

function secretOf(value: string | undefined): Secret | undefined {
  return value === undefined || value === '' ? undefined : new Secret(value);
}

const bytesMax = 64 * 1024; // of the output of a program; a key is far shorter

type Program = Extract<SecretSource, { readonly kind: 'exec' }>;

async function outputOf(
  { words: [program, ...words], folder: cwd }: Program,
  env: Environment,
): Promise<string> {
  const { execFile } = await import('node:child_process');
  try {
    const options = { cwd, env, timeout: 30 * second, maxBuffer: bytesMax, windowsHide: true };
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
