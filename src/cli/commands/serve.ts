/** `serve`: shows runs in a browser until it is stopped. */
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, plainText } from '../../base/text.ts';
import { loadConfig, type Config } from '../../app/config/load.ts';
import { refuseLinksIn } from '../../app/config/state-folder.ts';
import type { DeskPlace } from '../../serve/server/desk.ts';
import type { LinkMode } from '../../serve/server/listen.ts';
import type { AppChoices } from '../../app/app-context.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { printError } from '../exits.ts';
import { limitsOf } from '../../app/planning/validate.ts';
import { schedulesHere } from '../../app/schedule/found.ts';
import { keepSchedules } from '../../app/schedule/keeping.ts';
import { keepingScreen, printRecord } from '../schedule/screen.ts';
import { foldersWithoutLinks } from '../../serve/server/listed-names.ts';
import { queueOf } from '../../serve/server/queue-service.ts';
import { startDue } from '../../serve/server/schedules/start-due.ts';
import { servicesOf } from '../serve/services.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { stoppable, type Interruption } from '../../app/machine/interrupt.ts';
import { ownProgram, type OwnProgram } from '../../app/machine/own-program.ts';
import { storeOf } from '../../app/store/synchronized.ts';
import { portIn, teamMode } from '../serve/team.ts';
import type { Channel } from '../../report/terminal/terminal.ts';
import { programName } from '../../base/version.ts';

const usualPort = '8787';

export function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  return serveDesks(context, args);
}

/** A single purpose for which a page is served. */
export interface Purpose {
  /** The page that the link opens. */
  readonly path: string;
  readonly onEnrolled: (line: string) => void;
  /** Aborted when the purpose is fulfilled. */
  readonly done: AbortSignal;
}

/** Serves until it is stopped, or the purpose is fulfilled. */
export async function serveDesks(
  context: Context,
  args: Args,
  purpose?: Purpose,
): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const screen = purpose === undefined ? out : err; // what a purpose prints can be piped
  const { listen, port, isPublished } = addressIn(args);
  const { passOn, publishedHere } = await import('../../serve/server/published.ts');
  const published = isPublished ? publishedHere() : undefined;
  const isWhole = purpose === undefined && !args.isOn('read-only');
  const isKeeping = isWhole && args.isOn('schedules'); // --no-schedules
  const [own, ...others] = await desksIn(context);
  const { startServer } = await import('../../serve/server/listen.ts');
  const { builtAssets } = await import('../../serve/server/assets.ts');
  const assets = await builtAssets();
  const mode =
    listen === undefined
      ? ({
          kind: 'link',
          port,
          onLink: (link: string) => printLink(link, screen),
          ...placeFor([own, ...others], purpose),
        } as const)
      : await teamMode(listen, own.config, context.terminal.env);
  const here = others.length === 0 ? await enterDesk(own, context) : undefined;
  const services = here && { services: servicesOf(own.config, here, isKeeping) };
  const desks = [{ ...own, ...services }, ...others] as const;
  const program = ownProgram(context.terminal.env);
  return stoppable(context, async (interruption) => {
    const server = await startServer({
      desks,
      mode,
      ...(purpose && { onEnrolled: purpose.onEnrolled }),
      assets,
      isReadOnly: args.isOn('read-only'),
      program: programName,
      user: userName(),
      start: program,
      clock: context.clock,
      onError: (error) => printError(error, context),
    });
    const endPassing = published && (await passOn(server.port, published));
    const names = desks.map(({ folder }) => plainText(folder, 300));
    screen.line(`${programName} shows ${listed(names)} on ${server.url}; Ctrl-C ends it`);
    const ends = [interruption.drain, ...(purpose === undefined ? [] : [purpose.done])];
    try {
      if (isKeeping && here !== undefined) await kept(own, program, interruption, here);
      else if (isKeeping) screen.line(unkeptWords);
      await aborted(AbortSignal.any(ends));
    } finally {
      endPassing?.();
      await server.close();
      await Promise.all(desks.map(async ({ queue }) => queue?.close()));
    }
    return interruption.exit() ?? exits.done;
  });
}

/** The address at which the page is served. @throws UsageError */
function addressIn(args: Args): {
  readonly listen: string | undefined;
  readonly port: number;
  readonly isPublished: boolean;
} {
  const listen = args.text('listen');
  const isPublished = args.isOn('published');
  if (listen !== undefined && args.text('port') !== undefined) {
    throw new UsageError('--port is for this machine only', 'name the port in --listen');
  }
  const port = portIn(args.text('port') ?? usualPort, '--port');
  if (listen !== undefined && isPublished) {
    throw new UsageError('--published is for the page without --listen', 'give one of them');
  }
  return { listen, port, isPublished };
}

function printLink(link: string, screen: Channel): void {
  screen.line(`open ${screen.theme.paint('command', link)}`);
  screen.line('  the link works once; after it was used, the next one is printed here');
}

/**
 * The link mode of the server. Links name `localhost` where people approve with passkeys: browsers
 * have none for an address.
 */
function placeFor(
  desks: readonly DeskPlace[],
  purpose: Purpose | undefined,
): Pick<LinkMode, 'name' | 'path'> {
  if (purpose !== undefined) return { name: 'localhost', path: purpose.path };
  const profiles = desks.flatMap(({ config }) => [...config.profiles.values()]);
  const hasPasskeys = profiles.some(({ approval }) => approval?.passkeys !== undefined);
  return hasPasskeys ? { name: 'localhost' } : {};
}

/**
 * Keeps the schedules of this folder until it is stopped; due runs are executed in other processes.
 */
function kept(
  desk: DeskPlace,
  program: OwnProgram,
  interruption: Interruption,
  here: Context,
): Promise<void> {
  const { config } = desk;
  const { err } = here.terminal;
  const find = () => schedulesHere(config, here);
  const onRecord = (record: ScheduleRecord): void => printRecord(record, here);
  const onProcess = ({ playbook }: Schedule, words: string): void =>
    err.line(`${plainText(playbook, 60)}: ${words}`);
  const { drain } = interruption;
  const start = startDue({ program, desk, drain, onProcess, onRecord });
  const runs = { kind: 'elsewhere', start } as const;
  const screen = keepingScreen(here);
  return keepSchedules({ config, interruption, find, onRecord, runs, ...screen }, here);
}

const unkeptWords =
  'schedules of several repositories are not kept here: run `deskhand --dir DIR schedule serve` for each';

/** Enters the folder of a desk. Its verbs work there, and share one connection to its store. */
async function enterDesk({ config }: DeskPlace, context: Context): Promise<Context> {
  const { dirs: [dir = '.'] = [], globals } = context;
  const { file } = config;
  process.chdir(dir);
  const isNamed = globals.config !== undefined && file !== undefined;
  const store = config.state.store === 'local' ? undefined : await storeOf(config, context);
  return {
    ...context,
    ...(isNamed && { globals: { ...globals, config: file } }),
    ...(store && { store }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** The desks of the flags. @throws UsageError when two folders are one desk */
async function desksIn(context: Context): Promise<readonly [DeskPlace, ...DeskPlace[]]> {
  const { dirs = [], globals } = context;
  if (dirs.length > 1 && globals.config !== undefined) {
    throw new UsageError('--config names one desk, and --dir several', 'give only --dir');
  }
  const [first = '.', ...others] = dirs;
  const places = [await deskIn(first, context)] as [DeskPlace, ...DeskPlace[]];
  for (const dir of others) {
    const place = await deskIn(dir, context);
    const twin = places.find(({ config }) => config.stateDir === place.config.stateDir);
    if (twin !== undefined) {
      throw new UsageError(
        `${twin.folder} and ${place.folder} have the same state folder`,
        'name each repository once, and do not set DESKHAND_STATE_DIR',
      );
    }
    const isTaken = places.some(({ name }) => name === place.name);
    places.push(isTaken ? { ...place, name: `${place.name}-${places.length + 1}` } : place);
  }
  return places;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function deskIn(dir: string, context: Context): Promise<DeskPlace> {
  const { terminal, globals } = context;
  const cwd = resolve(process.cwd(), dir);
  if (!isFolder(cwd)) throw new UsageError(`--dir: folder not found: ${dir}`, 'name a repository');
  const config = await loadConfig({
    cwd,
    env: terminal.env,
    ...(globals.config !== undefined && { file: resolve(process.cwd(), globals.config) }),
  });
  const { stateDir } = config;
  const isNamed = terminal.env['DESKHAND_STATE_DIR'] !== undefined;
  refuseLinksIn(stateDir, isNamed, foldersWithoutLinks(stateDir));
  const folder = config.file === undefined ? cwd : dirname(config.file);
  const name = plainText(basename(folder), 60);
  const limits = limitsOf(config, globals.profile, folder);
  const place = { name, folder, config, limits, choices: choicesFor(config, context) };
  if (config.state.store === 'local') return place;
  const store = await storeOf(config, context);
  const queue = queueOf(config, context);
  return { ...place, sync: () => store.sync(), ...(queue && { queue }) };
}

/** The choices for a desk, also of another folder: the path of the configuration is absolute. */
function choicesFor({ file }: Config, { globals }: Context): AppChoices {
  const { config, profile, store } = globals;
  return {
    ...(config !== undefined && file !== undefined && { config: file }),
    ...(profile !== undefined && { profile }),
    ...(store !== undefined && { store }),
  };
}
