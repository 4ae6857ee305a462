/** deskhand as a library: plans and runs, the client, the sandbox and the playbook language. */
export { plan, resume, run, validate } from './embedding/index.ts';
export type {
  AccountKey,
  Notice,
  Plan,
  PlanOptions,
  ResumeOptions,
  RunEvent,
  RunInProgress,
  RunOptions,
  RunOutcome,
  RunReport,
  ValidateOptions,
  Validation,
  ValidationProblem,
} from './embedding/index.ts';
export { DeskhandError, exits } from './base/error.ts';
export type { Actor, ErrorReason, ExitCode } from './base/error.ts';
export type { Entry } from './journal/entry.ts';
export { createClient, httpTransport, Secret, systemClock, systemRandom } from './client/index.ts';
export type { Client, ClientOptions, Clock, Credentials } from './client/index.ts';
export { operationNames, operations } from './api/index.ts';
export type { AnswerOf, Exchange, Input, OperationName, Output, Transport } from './api/index.ts';
export { loadPlaybook } from './playbook/index.ts';
export type { Playbook, Problem } from './playbook/index.ts';
export { openSandbox, startServer } from './sandbox/index.ts';
export type { Sandbox } from './sandbox/index.ts';
