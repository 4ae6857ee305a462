/** Machines that share a bare repository: a clone, a state folder and an identity for each. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { configuration, deskhand, ladder, type Desk } from './desk.ts';

export interface Machine {
  readonly name: string;
  /** Starts `deskhand` there, which prints to a pipe. */
  begin(words: readonly string[]): ChildProcess;
  /** Journals of the runs that lie there, by run. */
  journals(): ReadonlyMap<string, string>;
}

const lease = '1m'; // the shortest there is

/** Clones of one new repository, on the exchange of a desk. */
export function machinesOf(desk: Desk, names: readonly string[]): readonly Machine[] {
  const hub = join(desk.folder, 'hub.git');
  git(desk.folder, ['init', '--quiet', '--bare', '--initial-branch=main', hub]);
  const commit = git(hub, ['commit-tree', git(hub, ['mktree']), '-m', 'begin']);
  git(hub, ['update-ref', 'refs/heads/main', commit]);
  return names.map((name) => machine(name, hub, desk));
}

function machine(name: string, hub: string, desk: Desk): Machine {
  const folder = join(desk.folder, name);
  const home = join(desk.folder, `home-${name}`);
  mkdirSync(home);
  git(desk.folder, ['clone', '--quiet', hub, folder]);
  // At once: what a lost machine may have placed is waited for at once, too.
  writeFileSync(
    join(folder, 'ladder.yaml'),
    ladder(prices, inputs, { parallel: 5, family: desk.family }),
  );
  writeFileSync(join(folder, 'deskhand.yaml'), configuration(desk) + shared);
  const runs = join(folder, '.deskhand', 'runs');
  const { DESKHAND_STATE_DIR: _own, ...keys } = desk.env;
  const env = { ...keys, ...gitEnv, HOME: home, XDG_CONFIG_HOME: home };
  return {
    name,
    begin: (words) =>
      spawn(process.execPath, [deskhand, ...words], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    journals: () => new Map(namesIn(runs).flatMap((run) => journalIn(runs, run))),
  };
}

const prices = 'range inputs.base (add inputs.base 4)';
const inputs = '{ base: { type: integer } }';

const shared = `state: { store: git, lease: ${lease}, name: bench, email: bench@localhost }
`;

const gitEnv = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@localhost',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@localhost',
};

function git(folder: string, words: readonly string[]): string {
  const env = { ...process.env, ...gitEnv };
  return execFileSync('git', words, { cwd: folder, env, input: '', encoding: 'utf8' }).trim();
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('r-')) : [];
}

function journalIn(runs: string, run: string): readonly (readonly [string, string])[] {
  const path = join(runs, run, 'journal.ndjson');
  return existsSync(path) ? [[run, readFileSync(path, 'utf8')]] : [];
}
