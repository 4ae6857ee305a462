/** The page of `serve` over a shared store, on a machine without a key: its API, signed in. */
import { once } from 'node:events';
import { begin } from '../cli/deskhand.ts';
import type { AnswerOf, Routes } from '../../src/serve/server/routes/index.ts';

export type Home = AnswerOf<Routes['GET /home']>;
export type Offered = AnswerOf<Routes['GET /runs/{run}/actions']>;

export interface Page {
  /** @throws Error with the answer of a request that was refused */
  readonly read: <A>(path: string) => Promise<A>;
  /** What a button does. */
  readonly press: (path: string, body?: object) => Promise<Pressed>;
  readonly end: () => Promise<void>;
}

export interface Pressed {
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

let presses = 0;

export async function pageOn(
  cwd: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<Page> {
  const child = begin(['serve', '--port', '0', '--no-schedules', ...words], { cwd, env });
  child.stderr.resume();
  let said = '';
  child.stdout.on('data', (part) => (said += String(part)));
  while (!/#token=\S+\n/.test(said)) await once(child.stdout, 'data');
  const [, origin = '', token = ''] = /open (\S+)\/#token=(\S+)/.exec(said) ?? [];
  const api = `${origin}/api/v1`;
  const json = { 'content-type': 'application/json', origin };
  const signedIn = await fetch(`${api}/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token }),
  });
  const [cookie = ''] = signedIn.headers.get('set-cookie')?.split(';') ?? [];
  return {
    read: async (path) => {
      const response = await fetch(api + path, { headers: { cookie } });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${text}`);
      return JSON.parse(text);
    },
    press: async (path, body = {}) => {
      const press = `press-${String(++presses).padStart(12, '0')}`;
      const response = await fetch(api + path, {
        method: 'POST',
        headers: { ...json, cookie },
        body: JSON.stringify(path.startsWith('/schedules/') ? body : { press, ...body }),
      });
      const answer = Object(await response.json());
      return { status: response.status, answer };
    },
    end: async () => {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
