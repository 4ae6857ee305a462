/** Two people with clones of one repository, and the account their pipeline trades on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { ladder } from '../cli/ladder.ts';
import { startSandboxIn, type Started } from '../cli/sandbox.ts';
import {
  installed,
  push,
  put,
  repository,
  scratch,
  step,
  type Repository,
  type Said,
} from '../pipelines/host.ts';
import { git } from '../stores/machines.ts';

/** Five orders below the market. */
export const five = ladder
  .replace('default: 3', 'default: 5')
  .replace('total=0.030', 'total=0.050');

// Functions: this module is loaded once, and the folder of keys lasts as long as a file of tests.
export const annsKey = (): string => keyOf('story-ann');
export const bensKey = (): string => keyOf('story-ben');

export interface Team {
  /** Folder of the exchange, which is another process. */
  readonly world: string;
  readonly exchange: Started;
  readonly repo: Repository;
  /** What a pipeline has in its environment. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Clones of Ann, who set the repository up, and Ben. */
  readonly ann: string;
  readonly ben: string;
  readonly run: (
    cwd: string,
    script: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<Said>;
  /** The clientOids of all open orders. */
  readonly resting: () => Promise<readonly string[]>;
}

/** The profiles of deskhand.yaml, each with an approval by another person, and their keys. */
export interface Accounts {
  readonly profiles: (exchange: Started) => string;
  readonly secrets: (exchange: Started) => Readonly<Record<string, string>>;
}

const oneAccount: Accounts = {
  profiles: ({ baseUrl }) => `  main:
    base-url: "${baseUrl}"
    secrets: { env: MAIN }
    guards: { writes: 10, order: 1000 }
    approve: { by: other, signers: ./allowed_signers, records: approvals }`,
  secrets: (exchange) => {
    const keys = exchange.env('hedge');
    return {
      MAIN_API_KEY: keys['DESKHAND_API_KEY'] ?? '',
      MAIN_API_SECRET: keys['DESKHAND_API_SECRET'] ?? '',
      MAIN_API_PASSPHRASE: keys['DESKHAND_API_PASSPHRASE'] ?? '',
    };
  },
};

/** The configuration requires one approval by another person. */
export async function team(
  files: Readonly<Record<string, string>> = {},
  accounts = oneAccount,
): Promise<Team> {
  const world = folderWith(files);
  const exchange = await startSandboxIn(world);
  const bin = await installed();
  const keys = exchange.env('hedge');
  const secrets = accounts.secrets(exchange);
  const run: Team['run'] = (cwd, script, env = {}) =>
    step(script, { cwd, env: { ...secrets, ...env }, bin });
  const resting = async (): Promise<readonly string[]> => {
    const words = ['call', 'order/list-open', 'category=USDT-FUTURES', 'symbol=BTCUSDT'];
    const { stdout } = await deskhand([...words, '-o', 'json'], { cwd: scratch(), env: keys });
    return JSON.parse(stdout).answer.list.map(({ clientOid }: { clientOid: string }) => clientOid);
  };
  const repo = repository();
  const ann = personAt(repo.clone, 'ann');
  expect(await run(ann, 'deskhand init . --github')).toMatchObject({ code: 0 });
  configure(ann, accounts.profiles(exchange));
  push(repo, 'main', 'begin');
  const ben = join(scratch(), 'ben');
  git(scratch(), ['clone', '--quiet', repo.bare, ben]);
  return { world, exchange, repo, secrets, ann, ben: personAt(ben, 'ben'), run, resting };
}

/** A clone of a person, who commits by their own name. */
function personAt(clone: string, name: string): string {
  git(clone, ['config', 'user.name', name]);
  git(clone, ['config', 'user.email', `${name}@desk.example`]);
  return clone;
}

function configure(folder: string, profiles: string): void {
  const config = readFileSync(join(folder, 'deskhand.yaml'), 'utf8');
  put(folder, {
    'deskhand.yaml': config.replace(/^  main: .*$/m, () => profiles),
    allowed_signers: `ann@desk.example ${publicOf(annsKey())}\nben@desk.example ${publicOf(bensKey())}\n`,
  });
}
