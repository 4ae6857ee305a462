/** `ssh-keygen`: signs with a person's key and identifies signers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigError, isCode, messageOf } from '../../base/error.ts';
import { passedVariables } from '../../base/platform/environment.ts';
import { readRegular } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import { fingerprintOf, type SshSignature } from './signature.ts';

/** The namespace of signatures: one made for Git or a file is not an approval. */
export const namespace = 'approval@deskhand';

/** The namespace of statements about existing objects: they approve nothing. */
export const statementNamespace = 'statement@deskhand';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Signs a text with a key, or with the agent if the key is public.
 * @param key file of a private or public key
 * @param canAsk whether the terminal may prompt for a passphrase
 * @returns the armored signature
 * @throws ConfigError with the message of ssh-keygen
 */
export async function sign(
  body: string,
  key: string,
  {
    env,
    canAsk,
    as = namespace,
  }: { readonly env: Environment; readonly canAsk: boolean; readonly as?: string },
): Promise<string> {
  const silent = { SSH_ASKPASS: 'false', SSH_ASKPASS_REQUIRE: 'force' };
  const words = ['-Y', 'sign', '-f', key, '-n', as];
  const ended = await keygen(words, body, { ...env, ...(canAsk ? {} : silent) });
  if (ended.code === 0) return ended.out;
  throw new ConfigError(
    `ssh-keygen could not sign with ${key}: ${lastLine(ended.err)}`,
    'name another key with --key, or load it into your agent with ssh-add',
  );
}

/**
 * The signers of a signature, by the file of allowed signers; none if the key is not allowed.
 * ssh-keygen returns the first line with the key; names on other lines are added.
 */
export async function principalsOf(
  { armoured, fingerprint }: SshSignature,
  signers: string,
  env: Environment,
): Promise<readonly string[]> {
  const found = await withFile(armoured, async (file) => {
    const words = ['-Y', 'find-principals', '-s', file, '-f', signers];
    const { code, out } = await keygen(words, '', env);
    return code === 0 ? out.split(/[\n,]/).filter((name) => name !== '') : [];
  });
  if (found.length === 0) return [];
  const all = namesOfKey((await readRegular(signers)).toString('utf8'), fingerprint);
  return [...new Set([...found, ...all])];
}

/** The principals on every line with a key in a file of allowed signers. */
export function namesOfKey(text: string, fingerprint: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const keys = [...line.matchAll(/(?:^|\s)(?:ssh|ecdsa|sk)-\S+\s+([A-Za-z0-9+/]+={0,2})/g)];
    const isIts = keys.some(
      ([, key = '']) => fingerprintOf(Buffer.from(key, 'base64')) === fingerprint,
    );
    return isIts ? namesOnLine(line) : [];
  });
}

/** The principals of a line of a file of allowed signers; none on a line without. */
export function namesOnLine(line: string): readonly string[] {
  const [, quoted, plain] = /^\s*(?:"([^"]*)"|([^\s#"][^\s]*))\s/.exec(line) ?? [];
  return (quoted ?? plain ?? '').split(',').filter((name) => name !== '');
}

/** Whether a text was signed by a principal, in our namespace, with a key that is allowed now. */
export async function isSigned(
  body: string,
  { armoured }: SshSignature,
  {
    principal,
    signers,
    env,
  }: {
    readonly principal: string;
    readonly signers: string;
    readonly env: Environment;
  },
): Promise<boolean> {
  return withFile(armoured, async (file) => {
    const words = ['-Y', 'verify', '-f', signers, '-I', principal, '-n', namespace, '-s', file];
    const { code } = await keygen(words, body, env);
    return code === 0;
  });
}

interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function keygen(
  words: readonly string[],
  input: string,
  env: Environment,
): Promise<ProcessResult> {
  const child = spawn('ssh-keygen', words, { env: own(env), stdio: 'pipe', windowsHide: true });
  child.stdin.on('error', () => undefined); // it may exit before it has read everything
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitOf(child),
  ]);
  return { code, out, err };
}

/** The environment of ssh-keygen: only variables that it needs, so no key of an exchange. */
function own(env: Environment): Environment {
  return passedVariables(env, names);
}

const names = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TERM',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'SSH_AUTH_SOCK',
  'SSH_ASKPASS',
  'SSH_ASKPASS_REQUIRE',
];

async function exitOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  try {
    await once(child, 'close');
    return child.exitCode;
  } catch (error) {
    throw new ConfigError(
      isCode(error, 'ENOENT')
        ? 'ssh-keygen is not installed, or not on PATH: it signs and verifies approvals'
        : `ssh-keygen could not be started: ${messageOf(error)}`,
      'install OpenSSH (openssh-client), or add its folder to PATH',
    );
  }
}

/** Whether ssh-keygen can be started: without it, approvals can be neither signed nor verified. */
export async function hasKeygen(env: Environment): Promise<boolean> {
  try {
    await keygen(['-l', '-f', '-'], '', env);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

async function withFile<T>(content: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'deskhand-'));
  try {
    const file = join(folder, 'signature');
    await writeFile(file, content);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `Signing data on standard input` is not a reason. */
function lastLine(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return plainText(lines.at(-1) ?? 'it printed nothing', 200);
}
