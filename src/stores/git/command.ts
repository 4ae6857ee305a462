/** Runs git as a function: a list of arguments, bytes in and out, no prompt, no hook, a timeout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isCode } from '../../base/error.ts';
import { deadline, second, type Millis } from '../../base/clock.ts';
import { endProcesses } from '../../base/platform/end-process.ts';
import { passedVariables } from '../../base/platform/environment.ts';
import { redactor, Secret } from '../../base/secret.ts';
import { plainText } from '../../base/text.ts';

/** A failed git command; its message is safe to show. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly isTimeout: boolean;
  /** Whether this machine has no Git. */
  readonly isMissing: boolean;
  /** Git's complete error output. */
  readonly said: string;

  constructor(command: string, said: string, { isTimeout = false, isMissing = false } = {}) {
    super(isMissing ? said : `git ${command}: ${lastWords(said)}`);
    this.said = said;
    this.isTimeout = isTimeout;
    this.isMissing = isMissing;
  }
}

/** Runs git in a repository. @throws GitError */
export type Git = (words: readonly string[], input?: string) => Promise<Buffer>;

export interface GitPlace {
  /** A folder inside the repository. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Timeout of each command. Default: 60 s. */
  readonly timeoutMs?: Millis;
}

const timeoutUsual: Millis = 60 * second;
const bytesMax = 256 * 1024 * 1024; // per response; a state is far smaller

export function gitIn(place: GitPlace): Git {
  const { DESKHAND_STATE_TOKEN: token = '', ...env } = place.env;
  const plain = gitWith({ ...place, env }, '', () => Promise.resolve([]));
  if (token === '') return plain;
  let asked: Promise<readonly string[]> | undefined;
  return gitWith({ ...place, env }, token, () => (asked ??= tokenHost(plain).then(helperWords)));
}

/** The only host that gets the token: that of origin, and only over https. */
async function tokenHost(git: Git): Promise<string | undefined> {
  const said = await git(['remote', 'get-url', '--push', 'origin']).catch(() => undefined);
  const text = said?.toString('utf8').trim() ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' ? url.origin : undefined;
}

/** Makes the function that runs git. @param asking settings that define who answers git's password prompt */
function gitWith(
  { folder, env, timeoutMs = timeoutUsual }: GitPlace,
  token: string,
  asking: () => Promise<readonly string[]>,
): Git {
  const own = cleanEnvironment(env);
  if (token !== '') Object.assign(own, { DESKHAND_STATE_TOKEN: token });
  const hide = redactor(token === '' ? [] : [new Secret(token)]); // a server may echo the token
  return async (words, input = '') => {
    const [command = ''] = words;
    // A separate session: it cannot prompt at the terminal, Ctrl-C does not interrupt it, and its
    // child processes end with it.
    const child = spawn('git', [...settings, ...(await asking()), ...words], {
      cwd: folder,
      env: own,
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let isCut = false;
    const end = (): void => {
      isCut = true;
      endProcesses(child);
      // A process that left its group may hold the streams open, and would be waited for.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const limit = deadline(timeoutMs, () => new Error('time is up'));
    limit.signal.addEventListener('abort', end);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > bytesMax) end();
      else out.push(part);
    });
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.stdin.on('error', () => undefined); // it ended without reading: its exit code decides
    child.stdin.end(input);
    try {
      const [code]: unknown[] = await once(child, 'close');
      if (code === 0 && !isCut) return Buffer.concat(out);
    } catch (error) {
      throw notStarted(command, error, folder);
    } finally {
      limit.cancel();
    }
    const said = hide(withoutKeys(Buffer.concat(err).toString('utf8')));
    if (!limit.signal.aborted) throw new GitError(command, said);
    throw new GitError(command, `no response within ${timeoutMs / second} s`, { isTimeout: true });
  };
}

/** Node reports a missing program and a missing folder with the same code. */
function notStarted(command: string, error: unknown, folder: string): GitError {
  if (!isCode(error, 'ENOENT') || !existsSync(folder)) {
    return new GitError(command, `git cannot be started: ${String(error)}`);
  }
  return new GitError(command, 'Git is not installed, or not on PATH', { isMissing: true });
}

/** Settings that override those of the repository: no hook, no other program, nothing in the background. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'push.followTags=false',
].flatMap((setting) => ['-c', setting]);

/**
 * The settings that answer git's password prompt from the environment, for one host. The token is in no
 * argument, and no other helper is used.
 */
function helperWords(host: string | undefined): string[] {
  const answer =
    '!f() { test "$1" = get && printf "username=oauth2\\npassword=%s\\n" "$DESKHAND_STATE_TOKEN"; }; f';
  const own = host === undefined ? [] : [`credential.${host}.helper=${answer}`];
  return ['credential.helper=', ...own].flatMap((setting) => ['-c', setting]);
}

/** The environment variables that git, ssh and their helpers need, and no others: no key of an exchange. */
function cleanEnvironment(env: GitPlace['env']): Record<string, string> {
  return {
    ...passedVariables(env, names, { isPassed: (name) => prefixes.test(name) }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

const names = [
  'PATH HOME USER LOGNAME TMPDIR TEMP TMP',
  'XDG_CONFIG_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS',
  'GIT_EXEC_PATH SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'GH_TOKEN GITHUB_TOKEN GITLAB_TOKEN CI_JOB_TOKEN RUNNER_TEMP',
].flatMap((line) => line.split(' '));
const prefixes = /^GIT_(?:CONFIG_|SSL_|HTTP_|PROXY_)/;

/** Masks passwords in addresses. */
function withoutKeys(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^\s/@]+@/g, '$1');
}

/** The line of git's output that has the error. */
function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /^(?:fatal|error|remote: error|ERROR)/.test(line));
  return plainText(reason ?? lines.at(-1) ?? 'it failed without output', 300);
}
