/** The API as a library: operations, checks, signature, errors. */
export { checkInput, checkOutput, fieldsOf, inputProblems } from './check.ts';
export { classOf, errorTable, successCode, verdictOf } from './errors.ts';
export type { ErrorClass, ErrorRow } from './errors.ts';
export {
  AnswerError,
  DoubtError,
  InputError,
  RefusedError,
  TransportError,
  UnavailableError,
} from './exchange.ts';
export type {
  CallEvent,
  CallOptions,
  Exchange,
  InputProblem,
  Sending,
  Transport,
  WireRequest,
  WireResponse,
} from './exchange.ts';
export type { Effect, Limit, Operation, Page, Window } from './operation.ts';
export { isOperation, operationNames, operationOf, operations } from './operations/index.ts';
export type { AnswerOf, Input, OperationName, Output } from './operations/index.ts';
export { readAll } from './reading.ts';
export { prehash, signatureOf } from './signature.ts';
export { decode, encode } from './wire.ts';
