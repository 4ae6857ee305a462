/** Finds the operation for a method and path. */
import type { Operation } from '../../exchange/api/operation.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { Refusal } from '../refusal.ts';
import type { RawRequest } from './request.ts';

export interface Route {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly path: string;
  /** The query as sent, without its question mark. */
  readonly query: string;
}

const byPath: ReadonlyMap<string, Route> = new Map(
  operationNames.map((name) => {
    const operation = operationOf(name);
    const { path } = operation;
    return [path, { name, operation, path, query: '' }];
  }),
);

/** The route of a request. @throws Refusal for an unknown path, or the wrong method */
export function routeOf({ method, target }: RawRequest): Route {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const route = byPath.get(path);
  if (route === undefined) throw new Refusal('40404');
  const wanted = route.operation.method;
  if (method !== wanted) throw new Refusal('40405', `${path} accepts only ${wanted}`);
  return mark === -1 ? route : { ...route, query: target.slice(mark + 1) };
}
