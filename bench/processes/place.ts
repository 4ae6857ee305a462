/** Folders of machines that share a database, and what commands in them cost as whole processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { second, systemClock } from '../../src/base/clock.ts';
import type { PostgresServer } from '../../test/postgres/server.ts';
import { deskhand, ladder, type Desk } from './desk.ts';

/** A folder of a machine with its own state. */
export class Place {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param orders of a run */
  constructor(desk: Desk, server: PostgresServer, name: string, orders: number) {
    this.folder = join(desk.folder, name);
    mkdirSync(this.folder);
    const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
    this.#env = {
      ...env,
      DESK_DATABASE: server.url(),
      HOME: this.folder,
      XDG_CONFIG_HOME: this.folder,
    };
    writeFileSync(
      join(this.folder, 'ladder.yaml'),
      ladder(`range 20001 ${20_000 + orders}`, '{}').replace(
        'orderType: limit',
        'orderType: limit, force: ioc',
      ),
    );
    writeFileSync(
      join(this.folder, 'deskhand.yaml'),
      `profile: main
profiles:
  main: { target: sandbox, base-url: "${desk.baseUrl}", account-id: "${desk.uid}", on-doubt: resend }
state: { store: postgres, url: { env: DESK_DATABASE } }
`,
    );
  }

  start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [deskhand, ...words], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Seconds of CPU of a command, as the shell counts them, and of wall. */
  async spend(words: readonly string[], codes: readonly number[] = [0]): Promise<Spending> {
    const at = systemClock.monotonic();
    const child = spawn(
      'bash',
      [
        '-c',
        '"$@" >out.txt 2>err.txt; code=$?; times; exit $code',
        'bash',
        process.execPath,
        deskhand,
        ...words,
      ],
      { cwd: this.folder, env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [[code], told] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    if (!codes.includes(Number(code)))
      throw new Error(
        `${words.join(' ')} ended with ${code}: ${readFileSync(join(this.folder, 'err.txt'), 'utf8')}`,
      );
    const children = told.trim().split('\n').at(-1) ?? '';
    const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
      0,
    );
    return { cpu, wall: (systemClock.monotonic() - at) / second };
  }
}

export interface Spending {
  readonly cpu: number;
  readonly wall: number;
}

export function show(what: string, { cpu, wall }: Spending): void {
  console.log(
    `${what.padEnd(44)} ${cpu.toFixed(2).padStart(7)} s of CPU ${wall.toFixed(2).padStart(7)} s`,
  );
}
