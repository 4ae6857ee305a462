/** A field of a response: the table of its operation, and what the sandbox answers. */
import { before, type Addition } from './addition.ts';
import { client } from './client.ts';

export const field: Addition = {
  name: 'a field',
  files: [
    {
      file: 'exchange/api/resources/rates.ts',
      edits: [
        before(
          "  updatedTime: millisText('Updated, Unix milliseconds'),",
          "  hourlyInterestRate: decimalText('Hourly rate, 8 decimal places'),\n",
        ),
      ],
    },
    {
      file: 'sandbox/world/rates.ts',
      edits: [
        before(
          '    updatedTime: String(updated * hour),',
          '    hourlyInterestRate: scaled(Math.floor(daily / 24), 8),\n',
        ),
      ],
    },
  ],
  shows: `${client}
const rate = await client.call('margin/get-interest-rate', { coin: 'USDT' });
console.log(JSON.stringify(Object.keys(rate)));
`,
  shown: ['coin', 'dailyInterestRate', 'annualInterestRate', 'hourlyInterestRate', 'updatedTime'],
};
