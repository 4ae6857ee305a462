/** Tickers as a slow, broken or lying exchange may answer them. */
import type { Transport } from '../../src/exchange/api/exchange.ts';

type Fields = Record<string, unknown>;

/** Passes every answer to `market/list-tickers` through a change of each of its rows. */
export const changingTickers =
  (change: (ticker: Fields) => Fields) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (request.operation !== 'market/list-tickers') return answer;
    const envelope: Fields & { data: Fields[] } = JSON.parse(Buffer.from(answer.body).toString());
    const data = envelope.data.map(change);
    return { ...answer, body: Buffer.from(JSON.stringify({ ...envelope, data })) };
  };
