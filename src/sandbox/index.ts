/** The embedded exchange, for programs that test against it. */
export { standingClock, systemClock } from '../base/clock.ts';
export type { Clock, StandingClock } from '../base/clock.ts';
export { openSandbox } from './sandbox.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export { startServer } from './server.ts';
export type { RunningServer, ServerOptions } from './server.ts';
export { forgetWorld } from './persistence/shared.ts';
export type { Credentials, SandboxAccounts } from './world/initial-accounts.ts';
