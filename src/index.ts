/** deskhand as a library: plans and runs, the client, the sandbox and the playbook language. */
export { plan, resume, run, validate } from './app/embedding/index.ts';
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
} from './app/embedding/index.ts';
export { DeskhandError, exits } from './base/error.ts';
export type { Actor, ErrorReason, ExitCode } from './base/error.ts';
export type { Entry } from './engine/journal/entry.ts';
export {
  createClient,
  httpTransport,
  Secret,
  systemClock,
  systemRandom,
} from './exchange/client/index.ts';
export type { Client, ClientOptions, Clock, Credentials } from './exchange/client/index.ts';
export { operationNames, operations } from './exchange/api/index.ts';
export type {
  AnswerOf,
  Exchange,
  Input,
  OperationName,
  Output,
  Transport,
} from './exchange/api/index.ts';
export { loadPlaybook } from './language/index.ts';
export type { Playbook, Problem } from './language/index.ts';
export { openSandbox, startServer } from './sandbox/index.ts';
export type { Sandbox } from './sandbox/index.ts';
