/** What the exchange and the database have of the runs of machines. */
import { login, type PostgresServer } from './server.ts';
import type { Site } from './machine.ts';

/** How often the exchange has each clientOid, and each price. */
export interface Books {
  readonly names: ReadonlyMap<string, number>;
  readonly prices: ReadonlyMap<number, number>;
}

export async function booksOf({ controlUrl, uid }: Site): Promise<Books> {
  const answer = await fetch(`${controlUrl}/orders?uid=${uid}`);
  const { open, closed } = Object(await answer.json()).data;
  const [names, prices] = [new Map<string, number>(), new Map<number, number>()];
  for (const { clientOid, price } of [...open, ...closed]) {
    names.set(clientOid, (names.get(clientOid) ?? 0) + 1);
    prices.set(Number(price), (prices.get(Number(price)) ?? 0) + 1);
  }
  return { names, prices };
}

/** The run whose inputs begin with a base price, once it has a line. */
export async function runFrom(server: PostgresServer, base: number): Promise<string | undefined> {
  const text = `select run from deskhand.lines where text like '%"inputs":{"base":${base}}%'`;
  const [row] = await server.sql(text, login.database);
  return row && String(row['run']);
}

/** The clientOids of the intents that the database has of a run. */
export async function intentsOf(server: PostgresServer, run: string): Promise<ReadonlySet<string>> {
  const text = `select text from deskhand.lines where run = '${run}'`;
  const rows = await server.sql(text, login.database);
  const found = rows.flatMap((row) => [...String(row['text']).matchAll(/"clientOid":"([^"]+)"/g)]);
  return new Set(found.map(([, name]) => name ?? ''));
}
