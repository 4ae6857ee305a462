/** A server that lacks the last lines of a run, as a restored folder does. */
import { expect } from 'vitest';
import { lastLink } from '../../src/stores/shared/lines.ts';
import { keyOf, runObject } from '../../src/stores/restate/objects/names.ts';
import {
  rowName,
  type RunState,
  type StoredRow,
} from '../../src/stores/restate/objects/run-state.ts';
import type { RestateServer } from './server.ts';

/** All lines must be in the object of the run, as those of a short one. */
export async function forgetIn(
  server: RestateServer,
  desk: string,
  run: string,
  count: number,
): Promise<void> {
  const key = keyOf(desk, run);
  await interrupted(server, key);
  const values = await valuesOf(server, key);
  const state = JSON.parse(values.get('state') ?? '') as RunState;
  const rows = Array.from({ length: state.tailRows }, (_none, number) => {
    return JSON.parse(values.get(rowName(number)) ?? '') as StoredRow;
  });
  const text = rows.map((row) => row.text).join('');
  const lines = text.split(/(?<=\n)/);
  expect(lines).toHaveLength(state.lines);
  const left = lines.slice(0, lines.length - count);
  const kept = left.join('');
  const next = [...values].filter(([name]) => !name.startsWith('tail '));
  const link = left.length === 0 ? '' : lastLink(kept);
  const tail = { tailRows: left.length === 0 ? 0 : 1, tailCharacters: kept.length };
  const shorter: RunState = { ...state, lines: left.length, link, last: null, ...tail };
  next.push(['state', JSON.stringify(shorter)]);
  if (left.length > 0) {
    const row: StoredRow = { first: 1, last: left.length, text: kept, link, epoch: state.epoch };
    next.push([rowName(0), JSON.stringify(row)]);
  }
  await replaceValues(server, key, new Map(next));
}

/** An invocation that follows a process has ended: `state` has all of its rows. */
export async function interrupted(server: RestateServer, key: string): Promise<void> {
  const read = call(server, key, 'readAll');
  let isRead = false;
  void read.finally(() => (isRead = true));
  while (!isRead) await call(server, key, 'interrupt');
  await read;
}

async function call({ url }: RestateServer, key: string, handler: string): Promise<void> {
  const path = [runObject, key, handler].map(encodeURIComponent).join('/');
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body: '{}' });
  expect(answer.status).toBe(200);
}

export async function valuesOf(
  server: RestateServer,
  key: string,
  object = runObject,
): Promise<Map<string, string>> {
  const rows = await queried(
    server,
    `select key, value_utf8 from state where service_name = '${object}' and service_key = '${key}'`,
  );
  return new Map(rows.map((row) => [row['key'] ?? '', row['value_utf8'] ?? '']));
}

export type Row = Readonly<Record<string, string>>;

/** Rows of the server's own tables. */
export async function queried(server: RestateServer, query: string): Promise<readonly Row[]> {
  const answer = await fetch(`${server.admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await answer.json()) as { readonly rows: readonly Row[] };
  return rows;
}

/** The server changes them later; until then they are read again. */
export async function replaceValues(
  server: RestateServer,
  key: string,
  values: ReadonlyMap<string, string>,
  object = runObject,
): Promise<void> {
  const newState = Object.fromEntries(
    [...values].map(([name, value]) => [name, [...Buffer.from(value)]]),
  );
  const answer = await fetch(`${server.admin}/services/${object}/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ object_key: key, new_state: newState }),
  });
  expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
  const isThere = async (): Promise<boolean> => {
    const now = await valuesOf(server, key, object);
    return (
      now.size === values.size && [...values].every(([name, value]) => now.get(name) === value)
    );
  };
  while (!(await isThere()));
}
