/** deskhand as a library: the client, the sandbox and the playbook language. */
export { createClient, httpTransport, Secret, systemClock, systemRandom } from './client/index.ts';
export type { Client, ClientOptions, Clock, Credentials } from './client/index.ts';
export { operationNames, operations } from './api/index.ts';
export type { Exchange, Input, OperationName, Output, Transport } from './api/index.ts';
export { loadPlaybook } from './playbook/index.ts';
export type { Playbook, Problem } from './playbook/index.ts';
export { openSandbox, startServer } from './sandbox/index.ts';
export type { Sandbox } from './sandbox/index.ts';
