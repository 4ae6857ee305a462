/** The signed client as a library. */
export { systemClock } from '../../base/clock.ts';
export type { Clock } from '../../base/clock.ts';
export { systemRandom } from '../../base/random.ts';
export { Secret } from '../../base/secret.ts';
export { createClient } from './client.ts';
export type { Client, ClientOptions } from './client.ts';
export { createLimiter } from './layers/limit.ts';
export type { Limiter } from './layers/limit.ts';
export type { Credentials } from './layers/sign.ts';
export { httpTransport } from './transports/http.ts';
export type { HttpTransport } from './transports/http.ts';
