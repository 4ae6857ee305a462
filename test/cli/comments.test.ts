/** Comments on a pull request: our own are updated in place, all others are never changed. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putComment, reviewFrom } from '../../src/cli/pull-request/comments.ts';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

const marker = '<!-- deskhand:plan:main/ladder -->';
const forged = (login: string): Comment => ({ id: 7, body: `${marker}\nmine`, user: { login } });

let comments: Comment[];
let self: { readonly status: number; readonly login?: string };
let close: () => Promise<void>;
let api: string;

beforeEach(async () => {
  comments = [];
  self = { status: 200, login: 'desk-bot' };
  const server = createServer((request, response) => {
    void answer(request).then(([status, value]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  api = `http://127.0.0.1:${portOf(address)}`;
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
});
afterEach(() => close());

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(request: IncomingMessage): Promise<[number, unknown]> {
  const { method, url = '' } = request;
  if (url === '/user') return [self.status, { login: self.login }];
  if (method === 'GET') return [200, comments];
  const { body } = Object(await json(request));
  const id = Number(/\/comments\/(\d+)$/.exec(url)?.[1] ?? 0);
  const known = comments.find((comment) => comment.id === id);
  if (known) known.body = body;
  else comments.push({ id: 100 + comments.length, body, user: { login: self.login ?? actions } });
  return [200, {}];
}

const actions = 'github-actions[bot]';

const put = (text: string): Promise<'updated' | 'new'> => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: 'desk/books',
    GITHUB_EVENT_PATH: 'event.json',
    GITHUB_TOKEN: 'token',
  };
  return putComment(
    reviewFrom(env, () => ({ pull_request: { number: 7 } })),
    `${marker}\n${text}`,
  );
};

test('a comment of another author that starts with our marker is not changed', async () => {
  comments = [forged('stranger')];
  expect(await put('first')).toBe('new');
  expect(await put('second')).toBe('updated');
  expect(comments.map(({ body }) => body)).toEqual([`${marker}\nmine`, `${marker}\nsecond`]);
});

test('a pipeline token that cannot query its user still recognizes its own comments', async () => {
  self = { status: 403 };
  comments = [forged('stranger')];
  expect(await put('first')).toBe('new');
  expect(await put('second')).toBe('updated');
  expect(comments).toHaveLength(2);
});
