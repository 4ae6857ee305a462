/** What GitHub and GitLab provide to a pipeline's steps: a clone, an environment, an API. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import process from 'node:process';
import { inject } from 'vitest';
import { git } from '../stores/machines.ts';
import { afterEachTest } from '../support/cleanup.ts';

export interface Said {
  readonly code: number;
  readonly text: string;
}

const folders: string[] = [];

export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipeline-'));
  folders.push(folder);
  return folder;
}

afterEachTest(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with `deskhand`, as created by the install step. */
export async function installed(): Promise<string> {
  const folder = scratch();
  const path = join(folder, 'deskhand');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${inject('launcher')}' "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}

/** A repository on the host, with a person's clone. */
export interface Repository {
  readonly bare: string;
  readonly clone: string;
}

export function repository(): Repository {
  const folder = scratch();
  const bare = join(folder, 'books.git');
  const clone = join(folder, 'ann');
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  git(folder, ['clone', '--quiet', bare, clone]);
  git(clone, ['checkout', '--quiet', '-B', 'main']);
  return { bare, clone };
}

/** Commits all and pushes the branch. @returns the commit */
export function push({ clone }: Repository, branch: string, message: string): string {
  git(clone, ['add', '--all']);
  git(clone, ['commit', '--quiet', '--message', message]);
  git(clone, ['push', '--quiet', 'origin', `HEAD:${branch}`]);
  return git(clone, ['rev-parse', 'HEAD']);
}

/** A pipeline's machine: a clone of a commit, deleted afterwards. */
export function checkout({ bare }: Repository, commit: string, words: readonly string[]): string {
  const folder = join(scratch(), 'books');
  git(tmpdir(), ['clone', '--quiet', ...words, `file://${bare}`, folder]);
  git(folder, ['checkout', '--quiet', commit]);
  return folder;
}

export interface Job {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder with `deskhand`. */
  readonly bin: string;
}

/** One step, in the shell both hosts use. */
export async function step(script: string, { cwd, env, bin }: Job): Promise<Said> {
  const file = join(scratch(), 'step.sh');
  writeFileSync(file, script);
  const { PATH = '' } = process.env;
  const all = {
    PATH: `${bin}:${PATH}`,
    HOME: scratch(),
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    CI: 'true',
    ...env,
  };
  return new Promise((resolve) => {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', file];
    execFile('bash', words, { cwd, env: all }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, text: stdout + stderr });
    });
  });
}

/** The comments of one pull request, over either host's API. */
export interface Comments {
  readonly url: string;
  readonly bodies: () => readonly string[];
  readonly requests: readonly { readonly method: string; readonly token: string }[];
  close(): Promise<void>;
}

export async function commentsApi(): Promise<Comments> {
  const by = (name: string) => ({ user: { login: name }, author: { username: name } });
  const comments: { id: number; body: string }[] = [
    { id: 1, body: 'what a fine branch', ...by('stranger') },
  ];
  const requests: { method: string; token: string }[] = [];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const { method = '', url = '', headers } = request;
    const token = headers.authorization ?? String(headers['private-token']);
    if (url === '/user') return { login: 'desk-bot', username: 'desk-bot' };
    requests.push({ method, token });
    if (method === 'GET') return url.includes('page=1') ? comments : [];
    const { body } = (await json(request)) as { body: string };
    const id = Number(/\/(?:comments|notes)\/(\d+)$/.exec(url)?.[1] ?? 0);
    const known = comments.find((comment) => comment.id === id);
    if (known !== undefined) known.body = body;
    else comments.push({ id: comments.length + 1, body, ...by('desk-bot') });
    return { id };
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.end(JSON.stringify(value)),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies: () => comments.map(({ body }) => body),
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
}
