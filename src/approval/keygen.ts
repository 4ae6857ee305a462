/** `ssh-keygen`, which signs with a person's key and knows whose signature one is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigError, messageOf } from '../base/error.ts';
import { plainText } from '../base/text.ts';
import type { SshSignature } from './signature.ts';

/** What signatures are for: one made for Git or a file is no approval. */
export const namespace = 'approval@deskhand';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Signs a text with a key, or with the agent's half of a public one.
 * @param key file of a private or public key
 * @param canAsk whether a passphrase may be asked for, at the terminal itself
 * @returns the armoured signature
 * @throws ConfigError with the words of ssh-keygen
 */
export async function sign(
  body: string,
  key: string,
  { env, canAsk }: { readonly env: Environment; readonly canAsk: boolean },
): Promise<string> {
  const silent = { SSH_ASKPASS: 'false', SSH_ASKPASS_REQUIRE: 'force' };
  const words = ['-Y', 'sign', '-f', key, '-n', namespace];
  const ended = await keygen(words, body, { ...env, ...(canAsk ? {} : silent) });
  if (ended.code === 0) return ended.out;
  throw new ConfigError(
    `ssh-keygen could not sign with ${key}: ${lastLine(ended.err)}`,
    'name another key with --key, or load it into your agent with ssh-add',
  );
}

/** Whose key a signature was made with, by the file of allowed signers; none when nobody's. */
export async function principalsOf(
  { armoured }: SshSignature,
  signers: string,
  env: Environment,
): Promise<readonly string[]> {
  return withFile(armoured, async (file) => {
    const words = ['-Y', 'find-principals', '-s', file, '-f', signers];
    const { code, out } = await keygen(words, '', env);
    return code === 0 ? out.split('\n').filter((line) => line !== '') : [];
  });
}

/** Whether a text was signed by a principal, for us, with a key that is allowed now. */
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

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function keygen(words: readonly string[], input: string, env: Environment): Promise<Ended> {
  const child = spawn('ssh-keygen', words, { env: own(env), stdio: 'pipe', windowsHide: true });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitOf(child),
  ]);
  return { code, out, err };
}

/** Of the environment only what it needs: no key of an exchange. */
function own(env: Environment): Environment {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

const names = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
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
      'ssh-keygen could not be started, and approvals are signed with it',
      `install OpenSSH (openssh-client); ${messageOf(error)}`,
    );
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

/** `Signing data on standard input` is no reason. */
function lastLine(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return plainText(lines.at(-1) ?? 'it said nothing', 200);
}
