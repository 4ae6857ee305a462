/** The environment of tools: one folder, its configuration as it was at the start, and its limits. */
import { readRegular } from '../../base/read-file.ts';
import { isCode } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { redactor } from '../../base/secret.ts';
import { semaphore } from '../../base/semaphore.ts';
import type { Config } from '../../app/config/load.ts';
import type { AppContext } from '../../app/app-context.ts';
import { configToRead } from '../../app/config/opened.ts';
import {
  readWith,
  type Printed,
  type Reading,
  type ReadingCommand,
  type Starting,
} from './command.ts';
import { ConfigChangedError, ToolLimitError } from './refusal.ts';
import type { ToolFolder } from './paths.ts';
import { knownSecrets } from './masked.ts';

export interface ToolContext {
  readonly folder: string;
  readonly context: AppContext;
  /** Whether plans make no requests. */
  readonly isOffline: boolean;
  /**
   * Runs a command that reads. @throws the errors of `readWith`; ToolLimitError if too many are
   * waiting
   */
  read(command: ReadingCommand, reading: Reading, signal: AbortSignal): Promise<Printed>;
  /**
   * The configuration, for commands that use a key or a store.
   * @throws ConfigChangedError if its file is not the one that the server was started with
   */
  config(): Promise<Config>;
  /** The folder for an argument that names a file. @param where the name of the argument */
  place(where: string): Promise<ToolFolder>;
  /** Returns a function that masks every known secret. */
  redact(): Promise<(text: string) => string>;
}

export interface DeskOptions extends Starting {
  readonly context: AppContext;
  readonly isOffline: boolean;
}

/** Opens the current folder. @throws ConfigError */
export async function openToolContext({
  context,
  isOffline,
  ...starting
}: DeskOptions): Promise<ToolContext> {
  const { folder, program } = starting;
  const first = await configToRead(context);
  const digest = await digestOf(first.file);
  const turn = semaphore({ atOnce, waiting: waitingMax, full: tooMany });
  const secretsNow = async (): ReturnType<typeof knownSecrets> =>
    knownSecrets(await latest(), program.env);
  /**
   * Reads the latest configuration. The secrets of the first one remain secrets if its file is
   * damaged meanwhile.
   */
  const latest = (): Promise<Config> => configToRead(context).catch(() => first);
  return {
    folder,
    context,
    isOffline,
    read: (command, reading, signal) =>
      turn(() => readWith(command, reading, starting, signal), signal),
    config: async () => {
      const config = await configToRead(context);
      if (config.file !== first.file || (await digestOf(config.file)) !== digest) {
        throw new ConfigChangedError('the configuration changed after this server was started');
      }
      return config;
    },
    place: async (where) => ({ folder, withheld: (await secretsNow()).files, where }),
    redact: async () => redactor((await secretsNow()).values),
  };
}

/** The digest of a file; undefined without a file. */
async function digestOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return sha256(await readRegular(file));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const atOnce = 4; // processes
const waitingMax = 32; // calls

function tooMany(): ToolLimitError {
  return new ToolLimitError(
    `${waitingMax} calls are waiting already`,
    'call again when they ended',
  );
}
