/** Comments of a pull request: found by the marker in their first line, and rewritten in place. */
import { second } from '../../base/clock.ts';
import { DeskhandError, exits, networkMessageOf, UsageError } from '../../base/error.ts';
import { sendRequest, type HttpResponse } from '../../base/http-request.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { environmentProxy } from '../../base/proxy.ts';
import { plainText } from '../../base/text.ts';
import { userAgent } from '../../base/version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The host's API for comments on a pull request. */
export interface Review {
  /** The pull request in words, such as `pull request 7 of desk/books`. */
  readonly name: string;
  /** The address of the pull request's comments, a page at a time. */
  readonly list: URL;
  readonly one: (id: number) => { readonly method: 'PATCH' | 'PUT'; readonly url: URL };
  /** The address that returns the owner of the token. */
  readonly self: URL;
  /**
   * The author to assume if the token cannot query its owner: a pipeline token belongs to no
   * person.
   */
  readonly otherwise?: string;
  /** The name of a comment's author. */
  readonly authorOf: (comment: Readonly<Record<string, unknown>>) => unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variables, which name the proxy to the API, if any. */
  readonly env: Environment;
}

/** The error when the comment could not be written; no account was used. */
export class CommentError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(message, { code: 'comment', actor: 'operator', exit: exits.stopped, hint });
  }
}

/**
 * Replaces our comment with the same marker, or adds a new one. A comment of another author is
 * never used, even with our marker, because it could not be distinguished later.
 * @throws CommentError
 */
export async function putComment(review: Review, body: string): Promise<'updated' | 'new'> {
  const [marker = ''] = body.split('\n', 1);
  const earlier = await commentWith(marker, review);
  if (earlier === undefined) {
    const { origin, pathname } = review.list;
    await send('POST', new URL(`${origin}${pathname}`), review, body);
    return 'new';
  }
  const { method, url } = review.one(earlier);
  await send(method, url, review, body);
  return 'updated';
}

const pagesMax = 50;
const perPage = 100;

async function commentWith(marker: string, review: Review): Promise<number | undefined> {
  const own = await ownName(review);
  for (let page = 1; page <= pagesMax; page++) {
    const url = new URL(review.list);
    url.searchParams.set('per_page', String(perPage));
    url.searchParams.set('page', String(page));
    const comments = await send('GET', url, review);
    if (!Array.isArray(comments)) break;
    for (const comment of comments) {
      if (!isRecord(comment)) continue;
      const { id, body } = comment;
      if (own === undefined || review.authorOf(comment) !== own) continue;
      if (typeof id === 'number' && typeof body === 'string' && isMarked(body, marker)) return id;
    }
    if (comments.length < perPage) return undefined;
  }
  return undefined;
}

/** The author of our comments; undefined if unknown. */
async function ownName(review: Review): Promise<unknown> {
  const { self, otherwise, headers, env } = review;
  const response = await fetchFrom(self, { method: 'GET', headers, env });
  if (!isDone(response)) return otherwise;
  const said = jsonOf(response);
  return isRecord(said) ? (said['login'] ?? said['username']) : undefined;
}

function isMarked(body: string, marker: string): boolean {
  return body.startsWith(marker) && /^\r?\n/.test(body.slice(marker.length));
}

async function send(
  method: string,
  url: URL,
  { name, headers, env }: Review,
  body?: string,
): Promise<unknown> {
  const content = body === undefined ? {} : { body: JSON.stringify({ body }) };
  const response = await fetchFrom(url, { method, headers, env, ...content });
  if (isDone(response)) return jsonOf(response);
  const status = `${url.host} answered ${response.status} for the comments of ${name}`;
  throw new CommentError(status, 'the token needs the right to write comments there');
}

interface Sending {
  readonly method: string;
  readonly headers: Review['headers'];
  readonly env: Environment;
  readonly body?: string;
}

const answerMax = 16 * 1024 * 1024; // bytes; a hundred comments have some MB at most

/**
 * Fetches from the host of a pull request. Redirects are never followed: the token is sent only to
 * this host.
 */
async function fetchFrom(url: URL, { headers, env, ...rest }: Sending): Promise<HttpResponse> {
  try {
    const request = {
      ...rest,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': userAgent },
      signal: AbortSignal.timeout(30 * second),
      proxy: environmentProxy(url, env),
    };
    return await sendRequest(url, request, answerMax);
  } catch (error) {
    if (error instanceof DeskhandError) throw error; // of the proxy
    throw new CommentError(
      `${url.host} could not be reached: ${plainText(networkMessageOf(error))}`,
      'try again',
    );
  }
}

function isDone({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function jsonOf({ body }: HttpResponse): unknown {
  return parseJson(body.toString('utf8'));
}

/** The pull request of this pipeline. @throws UsageError when there is none */
export function reviewFrom(env: Environment, event: (path: string) => unknown): Review {
  if (env['GITHUB_ACTIONS'] === 'true') return onGithub(env, event);
  if (env['GITLAB_CI'] === 'true') return onGitlab(env);
  throw new UsageError(
    'this is not a pipeline of GitHub or GitLab, so no pull request can be commented on',
    'print the Markdown instead: deskhand plan FILE -o markdown',
  );
}

function onGithub(env: Environment, event: (path: string) => unknown): Review {
  const api = secureUrl(needed(env, 'GITHUB_API_URL'));
  const repository = needed(env, 'GITHUB_REPOSITORY');
  const payload = event(needed(env, 'GITHUB_EVENT_PATH'));
  const pull =
    isRecord(payload) && isRecord(payload['pull_request']) ? payload['pull_request'] : {};
  const number = pull['number'];
  if (typeof number !== 'number' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new UsageError('this event is for no pull request', 'comment in "on: pull_request" jobs');
  }
  const token = needed(env, 'GITHUB_TOKEN');
  const base = `${api}/repos/${repository}/issues`;
  return {
    name: `pull request ${number} of ${repository}`,
    list: new URL(`${base}/${number}/comments`),
    one: (id) => ({ method: 'PATCH', url: new URL(`${base}/comments/${id}`) }),
    self: new URL(`${api}/user`),
    otherwise: 'github-actions[bot]',
    authorOf: ({ user }) => (isRecord(user) ? user['login'] : undefined),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    env,
  };
}

function onGitlab(env: Environment): Review {
  const api = secureUrl(needed(env, 'CI_API_V4_URL'));
  const project = encodeURIComponent(needed(env, 'CI_PROJECT_ID'));
  const number = encodeURIComponent(needed(env, 'CI_MERGE_REQUEST_IID'));
  const base = `${api}/projects/${project}/merge_requests/${number}/notes`;
  return {
    name: `merge request ${number}`,
    list: new URL(base),
    one: (id) => ({ method: 'PUT', url: new URL(`${base}/${id}`) }),
    self: new URL(`${api}/user`),
    authorOf: ({ author }) => (isRecord(author) ? author['username'] : undefined),
    headers: { 'private-token': needed(env, 'DESKHAND_COMMENT_TOKEN') },
    env,
  };
}

function needed(env: Environment, name: string): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`${name} is not set, but a comment requires it`, 'set it in this job alone');
}

/** An address to which a token may be sent: it is never sent unencrypted. */
function secureUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)) {
    return text.replace(/\/+$/, '');
  }
  throw new UsageError(
    `${plainText(text, 80)} is not an https:// address`,
    'the token is sent there',
  );
}
