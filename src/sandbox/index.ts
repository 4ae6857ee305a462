/** The embedded exchange, for programs that rehearse against it. */
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { startServer, type RunningServer, type ServerOptions } from './server.ts';
export { forgetWorld } from './state/shared.ts';
export type { Credentials, SandboxAccounts } from './world/accounts.ts';
