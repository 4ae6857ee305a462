/** A server that lacks the last lines of a run, as a restored folder does. */
import { expect } from 'vitest';
import { lastLink } from '../../src/state-store/shared/lines.ts';
import { keyOf, runObject } from '../../src/state-store/restate/objects/names.ts';
import { rowName, type RunState } from '../../src/state-store/restate/objects/run-state.ts';
import type { RestateServer } from './server.ts';

/** All lines must be in the object of the run, as those of a short one. */
export async function forgetIn(
  server: RestateServer,
  desk: string,
  run: string,
  count: number,
): Promise<void> {
  const key = keyOf(desk, run);
  const values = await valuesOf(server, key);
  const state = JSON.parse(values.get('state') ?? '') as RunState;
  const texts = [...values].flatMap(([name, value]) => (name.startsWith('row ') ? [value] : []));
  const rows = texts.map((text) => JSON.parse(text) as { first: number; text: string });
  const text = rows
    .toSorted((a, b) => a.first - b.first)
    .map((row) => row.text)
    .join('');
  const lines = text.split(/(?<=\n)/);
  expect(lines).toHaveLength(state.lines);
  const left = lines.slice(0, lines.length - count);
  const kept = left.join('');
  const next = [...values].filter(([name]) => !name.startsWith('row '));
  const link = left.length === 0 ? '' : lastLink(kept);
  const shorter = { ...state, lines: left.length, link, last: null, tailSize: kept.length };
  next.push(['state', JSON.stringify(shorter)]);
  if (left.length > 0) {
    next.push([rowName(1), JSON.stringify({ first: 1, last: left.length, text: kept })]);
  }
  await replaceValues(server, key, new Map(next));
}

async function valuesOf(server: RestateServer, key: string): Promise<Map<string, string>> {
  const query = `select key, value_utf8 from state where service_name = '${runObject}' and service_key = '${key}'`;
  const answer = await fetch(`${server.admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await answer.json()) as {
    rows: readonly { readonly key: string; readonly value_utf8: string }[];
  };
  return new Map(rows.map((row) => [row.key, row.value_utf8]));
}

/** The server changes them later; until then they are read again. */
async function replaceValues(
  server: RestateServer,
  key: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  const newState = Object.fromEntries(
    [...values].map(([name, value]) => [name, [...Buffer.from(value)]]),
  );
  const answer = await fetch(`${server.admin}/services/${runObject}/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ object_key: key, new_state: newState }),
  });
  expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
  while ((await valuesOf(server, key)).get('state') !== values.get('state'));
}
