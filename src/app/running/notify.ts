/** Notifies the recipients of a profile. A failed notification is reported; nothing else fails because of it.
 */
import { DeskhandError, messageOf } from '../../base/error.ts';
import { secretsOfProxy, type Proxy } from '../../base/proxy.ts';
import { runAddress } from '../../base/run-address.ts';
import { redactor, type Secret } from '../../base/secret.ts';
import { plainText } from '../../base/text.ts';
import { channelOf } from '../../language/channels/index.ts';
import type { Recipient } from '../config/notify.ts';
import type { Profile } from '../config/profile.ts';
import { proxiesOf, proxyOn } from '../config/proxy.ts';
import { secretIn, secretsOf } from '../config/secrets.ts';
import type { Notice } from '../notification/notice.ts';
import { sendNotice } from '../notification/send.ts';
import type { AppContext } from '../app-context.ts';

/** Sends a notification to one recipient. Default: over its network protocol. */
export type Send = typeof sendNotice;

/** The reason why a recipient was not reached, and what to do. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

/** Notifies, and warns about each recipient that was not reached. */
export async function notifyAndWarn(
  notice: Notice,
  profile: Profile,
  context: AppContext,
): Promise<void> {
  for (const problem of await notify(notice, profile, context)) {
    context.note({ kind: 'warning', ...problem });
  }
}

/**
 * Sends a notification to every recipient of the profile that wants such events, at the same time.
 * @returns a problem for each recipient that was not reached
 */
export async function notify(
  notice: Notice,
  profile: Profile,
  context: AppContext,
  send: Send = sendNotice,
): Promise<readonly Problem[]> {
  const recipients = profile.notify.filter(({ on }) => on.includes(notice.event));
  const problems = await Promise.all(
    recipients.map(async (recipient) => {
      try {
        await sendTo(recipient, notice, profile, context, send);
        return [];
      } catch (error) {
        return [problemOf(error, recipient, profile, context)];
      }
    }),
  );
  return problems.flat();
}

async function sendTo(
  { kind, url, signWith }: Recipient,
  notice: Notice,
  profile: Profile,
  context: AppContext,
  send: Send,
): Promise<void> {
  const { env, clock, secrets } = context;
  const place = placeOf(kind, profile);
  const address =
    typeof url === 'string'
      ? await namedSecret(url, profile, context)
      : await secretIn(url, `${place}.url`, env);
  const key = signWith && (await secretIn(signWith, `${place}.sign-with`, env));
  const proxies = await proxiesOf(profile, env);
  const login = secretsOfProxy(address.reveal()); // the password of any address
  secrets.push(address, ...login, ...(key ? [key] : []), ...proxies.secrets);
  const safe = linked(masked(notice, secrets), profile);
  const channel = kind === 'named' ? undefined : channelOf(kind);
  const proxyTo = (to: URL): Proxy | undefined => proxyOn(proxies.toOthers(to));
  const others = { ...(channel && { channel }), ...(key && { key }) };
  await send(safe, { url: address, proxyTo, ...others }, clock);
}

async function namedSecret(name: string, profile: Profile, { env }: AppContext): Promise<Secret> {
  const store = await secretsOf(profile, env);
  const found = store.find(name);
  if (found === undefined) throw new Error(`${store.nameOf(name)} is not set`);
  return found;
}

/** The notification with the address of its run, if a server is configured. */
function linked(notice: Notice, { pages }: Profile): Notice {
  const { run } = notice;
  return pages === undefined || run === undefined
    ? notice
    : { ...notice, link: runAddress(pages, run) };
}

/** The notification with masked secrets: texts of the exchange and of programs may repeat one. */
function masked(notice: Notice, secrets: readonly Secret[]): Notice {
  const redact = redactor(secrets);
  const { sentence, facts, command } = notice;
  return {
    ...notice,
    sentence: redact(sentence),
    facts: facts.map(([name, value]) => [redact(name), redact(value)]),
    ...(command !== undefined && { command: redact(command) }),
  };
}

function problemOf(
  error: unknown,
  { kind }: Recipient,
  profile: Profile,
  { secrets }: AppContext,
): Problem {
  const redact = redactor(secrets);
  const message = `${placeOf(kind, profile)}: ${plainText(redact(messageOf(error)), 300)}`;
  const hint = error instanceof DeskhandError ? error.hint : undefined;
  return { message, ...(hint !== undefined && { hint: redact(hint) }) };
}

/** The path of a recipient in the configuration: `profiles.main.notify.slack`. */
function placeOf(kind: Recipient['kind'], { name }: Profile): string {
  return `profiles.${name}.notify${kind === 'named' ? '' : `.${kind}`}`;
}
