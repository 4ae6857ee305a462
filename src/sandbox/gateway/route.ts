/** Which operation a method and a path name. */
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../contract/operations/index.ts';
import { Refusal } from '../refusal.ts';
import type { RawRequest } from './request.ts';

export interface Route {
  readonly name: OperationName;
  readonly path: string;
  /** The query as sent, without its question mark. */
  readonly query: string;
}

const byPath: ReadonlyMap<string, OperationName> = new Map(
  operationNames.map((name) => [operationOf(name).path, name]),
);

/** @throws Refusal for a path nobody serves, or served by the other method */
export function routeOf({ method, target }: RawRequest): Route {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const name = byPath.get(path);
  if (name === undefined) throw new Refusal('40404');
  const wanted = operationOf(name).method;
  if (method !== wanted) throw new Refusal('40405', `${path} is answered to ${wanted}`);
  return { name, path, query: mark === -1 ? '' : target.slice(mark + 1) };
}
