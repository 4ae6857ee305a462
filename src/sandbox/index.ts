/** The embedded exchange as a library. */
export { standingClock, systemClock } from '../base/clock.ts';
export type { Clock, StandingClock } from '../base/clock.ts';
export { openSandbox } from './sandbox.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export { startServer } from './server.ts';
export type { RunningServer, ServerOptions } from './server.ts';
