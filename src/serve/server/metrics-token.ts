/** The token that a monitor needs to read `/metrics` of a server, if the configuration names one. */
import { timingSafeEqual } from 'node:crypto';
import type { AppOptions } from './app-options.ts';
import { Refusal } from './failure.ts';
import { digestOf } from './session.ts';

/**
 * Checks the token of a monitor. @throws Refusal unless the header has it, compared in constant
 * time
 */
export function requireToken(
  header: string | undefined,
  { metricsToken }: Pick<AppOptions, 'metricsToken'>,
): void {
  if (metricsToken === undefined) return;
  const [, sent = ''] = /^Bearer +([\x21-\x7E]{1,500})$/i.exec(header ?? '') ?? [];
  if (timingSafeEqual(digestOf(sent), digestOf(metricsToken.reveal()))) return;
  throw new Refusal(
    401,
    'metrics-token',
    'the metrics of this server need its token',
    'send Authorization: Bearer TOKEN, the one of serve.metrics-token',
    { 'WWW-Authenticate': 'Bearer' },
  );
}
