/** `GET /runs/{run}/prices`: the prices of the symbols whose orders are in doubt, read now. */
import { list, record, text } from '../../../exchange/api/schema.ts';
import { deadline, second, type Millis } from '../../../base/clock.ts';
import { plainText } from '../../../base/text.ts';
import { doubtPrices } from '../../../app/accounts/doubt-prices.ts';
import { configOf } from '../../../app/config/opened.ts';
import { deskOf } from '../route-context.ts';
import { Refusal } from '../failure.ts';
import { inProcess } from '../in-process.ts';
import { exactRecord, reads, runParameters } from '../route.ts';
import { moment } from '../shapes.ts';

const longest: Millis = 20 * second; // a person waits

export const runPrices = reads({
  title: 'Show the prices of the symbols whose orders are in doubt, read from the exchange now',
  role: 'operator',
  parameters: exactRecord(runParameters),
  answer: record({
    at: moment('When they were read'),
    prices: list(record({ address: text(), text: text() })),
  }),
  handle: async ({ parameters: { run, desk: name } }, server) => {
    const desk = deskOf(server, run, name);
    const entries = await desk.entries(run);
    const late = (): Refusal => new Refusal(422, 'late', 'the prices were not read in time');
    const limit = deadline(longest, late);
    try {
      const found = await inProcess(desk, server, async (context) =>
        doubtPrices(entries, await configOf(context), context, limit.signal),
      );
      const prices = found.map((each) => ({
        address: plainText(each.address, 120),
        text: plainText(each.text, 200),
      }));
      return { at: server.clock.now(), prices };
    } finally {
      limit.cancel();
    }
  },
});
