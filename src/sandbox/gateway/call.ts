/** A write as an act: its validated input, and the rights of its key. */
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Call, WriteName } from '../world/act.ts';
import { checkParameters } from './parameters.ts';

/** The account of a request; none on a public path. */
export interface Caller {
  readonly uid: string;
  readonly leads?: readonly string[];
}

export function isWrite(name: OperationName): name is WriteName {
  return operationOf(name).effect !== 'read';
}

/** The write of a request. @throws Refusal when the fields are not input of the operation */
export function callOf(name: WriteName, fields: unknown, caller: Caller): Call {
  const call = { kind: 'call', name, input: fields, ...caller } as const;
  checkCall(call);
  return call;
}

/** @throws Refusal when the input is not that of the operation */
function checkCall(call: {
  readonly kind: 'call';
  readonly name: WriteName;
  readonly input: unknown;
  readonly uid: string;
}): asserts call is Call {
  checkParameters(call.name, call.input);
}
