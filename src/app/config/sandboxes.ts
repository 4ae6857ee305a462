/** The sandboxes that commands act on: that of this folder, or one that listens at an address. */
import { join } from 'node:path';
import { isCode, UsageError } from '../../base/error.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import { controlOverHttp, type ControlOptions, type ControlRequest } from './control.ts';
import { proxiesOf, proxyOn } from './proxy.ts';
import { sandboxFile } from './opened-profile.ts';
import { forgetWorld } from '../../sandbox/persistence/shared.ts';
import { Refusal } from '../../sandbox/refusal.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { configOf, profileOf } from './opened.ts';
import type { AppContext } from '../app-context.ts';
import type { ActedOn } from '../documents/exchange.ts';

export interface ControlledSandbox {
  /** The sandbox in words: `the sandbox at 127.0.0.1:8788`. */
  readonly words: string;
  /** The address of the sandbox; without one its world is in the files of the folder. */
  readonly host?: string;
  /** Sends a control request. @throws UsageError when the sandbox refuses it */
  readonly control: (asked: ControlRequest) => Promise<unknown>;
  /** Starts a new world; an unreadable file can also be reset. */
  readonly reset: () => Promise<Reset>;
}

export interface Reset {
  readonly isRunning: boolean;
  /** The path where the files of the earlier world are kept, if it was stored. */
  readonly moved: string | undefined;
}

/** The sandbox of the current profile. */
export interface ProfileSandbox extends ControlledSandbox {
  readonly exchange: ActedOn;
}

/**
 * The sandbox of the current profile.
 * @param say shows that the folder has another sandbox, too
 * @throws UsageError for a live profile
 */
export async function sandboxOf(
  context: AppContext,
  say: (line: string) => void,
): Promise<ProfileSandbox> {
  const config = await configOf(context);
  const profile = profileOf(context, config);
  const { name, target, baseUrl } = profile;
  if (target !== 'sandbox') {
    throw new UsageError(
      `profile ${name} is live: its exchange is not a sandbox, and nothing was sent`,
      'name a profile of a sandbox: `-p sandbox`',
    );
  }
  if (baseUrl === undefined) {
    const own = await keptSandbox(config.stateDir, context, say);
    return named(own, name);
  }
  const proxies = await proxiesOf(profile, context.env);
  context.secrets.push(...proxies.secrets);
  const proxy = proxyOn(proxies.toExchange(baseUrl));
  return named(overHttp(new URL('/_sandbox', baseUrl), { proxy }), name);
}

/** The sandbox that runs in a folder, or else the one stored in its files. */
export async function sandboxIn(stateDir: string, context: AppContext): Promise<ControlledSandbox> {
  const running = await runningIn(stateDir);
  return running ? overHttp(running.url) : stored(stateDir, context);
}

/** The world in the files of a folder, through a server if it has the same world. */
async function keptSandbox(
  stateDir: string,
  context: AppContext,
  say: (line: string) => void,
): Promise<ControlledSandbox> {
  const running = await runningIn(stateDir);
  if (running?.isKept === true) return overHttp(running.url);
  if (running !== undefined) {
    const { origin } = running.url;
    say(
      `this folder also started a sandbox with another world, which DESKHAND_BASE_URL=${origin} selects`,
    );
  }
  return stored(stateDir, context);
}

function named(sandbox: ControlledSandbox, profile: string): ProfileSandbox {
  const { host } = sandbox;
  const exchange = { profile, ...(host !== undefined && { host }) };
  return { ...sandbox, exchange, words: `${sandbox.words} (profile ${plainText(profile, 80)})` };
}

function overHttp(url: URL, options: ControlOptions = {}): ControlledSandbox {
  const control = (asked: ControlRequest): Promise<unknown> => controlOverHttp(url, asked, options);
  return {
    words: `the sandbox at ${url.host}`,
    host: url.host,
    control,
    reset: async () => {
      await control({ method: 'POST', path: 'reset', fields: {} });
      return { isRunning: true, moved: undefined };
    },
  };
}

function stored(stateDir: string, { clock }: AppContext): ControlledSandbox {
  const stateFile = sandboxFile(stateDir);
  return {
    words: 'the sandbox of this folder',
    control: async ({ method, path, fields }) => {
      const sandbox = await openSandbox({ clock, stateFile });
      try {
        return inWords(() => sandbox.control(method, path, fields));
      } finally {
        await sandbox.close();
      }
    },
    reset: async () => ({ isRunning: false, moved: forgetWorld(stateFile) }),
  };
}

/** Executes a request. @throws UsageError with the reason of a refusal */
export function inWords<T>(request: () => T): T {
  try {
    return request();
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`the sandbox refused: ${error.message}`);
    throw error;
  }
}

/** The file with the address of a running sandbox. */
export function runningFile(stateDir: string): string {
  return join(stateDir, 'sandbox-server.json');
}

/** The content of the file, which `sandbox start` writes. */
export interface RunningNote {
  readonly controlUrl: string;
  /** Whether the sandbox's world is the one in the files of the folder. */
  readonly isKept: boolean;
}

async function runningIn(
  stateDir: string,
): Promise<{ readonly url: URL; readonly isKept: boolean } | undefined> {
  try {
    const note: unknown = parseJson((await readRegular(runningFile(stateDir))).toString('utf8'));
    const url = isRecord(note) ? note['controlUrl'] : undefined;
    if (!isRecord(note) || typeof url !== 'string' || !URL.canParse(url)) return undefined;
    return { url: new URL(url), isKept: note['isKept'] === true };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
