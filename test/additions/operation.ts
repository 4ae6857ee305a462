/** An operation: its table, its name, and its handler in the sandbox, without which nothing compiles. */
import { before, type Addition } from './addition.ts';
import { client } from './client.ts';

export const operation: Addition = {
  name: 'an operation',
  files: [
    {
      file: 'exchange/api/operations/get-status.ts',
      text: `/** 19. Whether the exchange trades. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { record } from '../schema.ts';
import { plainWord } from '../vocabulary.ts';

export const getStatus = operation({
  number: 19,
  title: 'Get status',
  method: 'GET',
  path: '/api/v2/public/status',
  access: 'public',
  limit: { permits: 10, per: second, of: 'ip' },
  effect: 'read',
  input: record({}),
  output: record({ status: plainWord('normal, or maintenance') }),
  doubts: [],
});
`,
    },
    {
      file: 'exchange/api/operations/index.ts',
      edits: [
        before(
          "import { getRiskReserve } from './get-risk-reserve.ts';",
          "import { getStatus } from './get-status.ts';\n",
        ),
        before("  'account/create-sub': createSubAccount,", "  'market/get-status': getStatus,\n"),
      ],
    },
    {
      file: 'sandbox/handlers/rates.ts',
      edits: [
        before(
          "export const getInterestRate: Handler<'margin/get-interest-rate'> =",
          "export const getStatus: Handler<'market/get-status'> = () => ({ status: 'normal' });\n\n",
        ),
      ],
    },
    {
      file: 'sandbox/handlers/index.ts',
      edits: [
        before(
          "import { listTickers } from './tickers.ts';",
          "import { getStatus } from './rates.ts';\n",
        ),
        before("  'account/create-sub': createSubAccount,", "  'market/get-status': getStatus,\n"),
      ],
    },
  ],
  shows: `${client}
console.log(JSON.stringify(await client.call('market/get-status', {})));
`,
  shown: { status: 'normal' },
};
