/** The steps of a job around its orders. */
import type { Choice } from './features.ts';
import { aside } from './orders.ts';
import { reportsOf, rowsOf } from './reports.ts';

type Fields = Readonly<Record<string, unknown>>;

const tickers = (symbol: string): Fields => ({
  uses: 'market/list-tickers',
  with: { category: 'USDT-FUTURES', symbol },
});

/** Steps before the orders. */
export function beforehand(choice: Choice): readonly Fields[] {
  const { leverage, read, sub, wait, notify, program, item, price, onError, failure } = choice;
  return [
    { id: 'market', ...tickers('BTCUSDT'), ...readKeys(choice) },
    ...(read === 'before'
      ? [
          {
            id: 'bills',
            uses: 'futures/list-bills',
            with: { productType: 'USDT-FUTURES', startTime: '{{ daysAgo 7 }}' },
          },
        ]
      : []),
    ...(program === 'none'
      ? []
      : [
          {
            id: 'program',
            uses: 'shell/run',
            with: { command: ['echo', program === 'output' ? '{{ run.playbook }}' : 'begins'] },
          },
        ]),
    ...(notify === 'before' ? [notice('before', 'job {{ run.playbook }} begins')] : []),
    ...(sub === 'none'
      ? []
      : [
          {
            id: 'sub',
            uses: 'account/create-sub',
            ...(sub === 'once' && { 'once-per': 'playbook' }),
            with: { username: 'jobdesk', accountMode: 'unified' },
          },
        ]),
    ...(leverage === 'before' || leverage === 'once' ? [leverageStep(leverage === 'once')] : []),
    ...(wait === 'before' ? [{ id: 'pause', uses: 'wait', with: { for: '3s' } }] : []),
    ...(wait === 'input'
      ? [{ id: 'pause', uses: 'wait', with: { for: '{{ inputs.pause }}' } }]
      : []),
    ...(failure === 'unfit'
      ? [
          { id: 'sooner', uses: 'futures/place-order', with: aside('1800.00') },
          { id: 'latest', ...tickers('ETHUSDT') },
        ]
      : []),
    ...(item === 'late'
      ? [
          { id: 'early', uses: 'futures/place-order', with: aside('2000.00') },
          {
            id: 'later',
            uses: 'order/list-open',
            needs: ['early'],
            with: { category: 'USDT-FUTURES', symbol: 'ETHUSDT' },
          },
        ]
      : []),
    ...(price === 'late'
      ? [{ id: 'after-leverage', needs: ['leverage'], ...tickers('BTCUSDT') }]
      : []),
    ...(read === 'between'
      ? [
          {
            id: 'between',
            uses: 'order/list-open',
            with: { category: 'USDT-FUTURES' },
            ...(onError === 'continue' && { 'on-error': 'continue' }),
          },
        ]
      : []),
  ];
}

/** Steps after the orders. */
export function afterwards(choice: Choice): readonly Fields[] {
  const { leverage, wait, notify, poll, program, failure, onError, needs } = choice;
  const goesOn = onError === 'continue' ? { 'on-error': 'continue' } : {};
  return [
    ...(leverage === 'after'
      ? [{ ...leverageStep(false), ...(needs === 'all' && { needs: ['orders'] }) }]
      : []),
    ...(wait === 'after' ? [{ id: 'pause', uses: 'wait', with: { for: '2s' } }] : []),
    ...(failure === 'refused'
      ? [
          {
            id: 'refused',
            uses: 'futures/place-order',
            with: { ...aside('2100.00'), tradeSide: 'close' },
            ...goesOn,
          },
        ]
      : []),
    ...(failure === 'unfit'
      ? [
          {
            id: 'unfit',
            uses: 'futures/place-order',
            with: { ...aside('2100.00'), side: '{{ steps.latest.response.0.symbol }}' },
            ...goesOn,
          },
        ]
      : []),
    ...(failure === 'expect'
      ? [
          {
            id: 'unexpected',
            ...tickers('ETHUSDT'),
            expect: [
              { that: '{{ eq (length response) 9 }}', message: 'there are not 9', level: 'error' },
            ],
            ...goesOn,
          },
        ]
      : []),
    ...(failure === 'read' ? [{ ...unread, ...goesOn }] : []),
    ...(failure === 'nested-read'
      ? [{ id: 'within', uses: './parts/unread.yaml', ...goesOn }]
      : []),
    ...(poll === 'none' ? [] : [pollStep(choice)]),
    ...rowsOf(choice),
    ...reportsOf(choice),
    ...(notify === 'after'
      ? [
          notice(
            'after',
            program === 'output' ? 'said {{ trim steps.program.response.stdout }}' : 'placed',
          ),
        ]
      : []),
  ];
}

/** A read that the exchange refuses. */
const unread: Fields = {
  id: 'unread',
  uses: 'margin/get-interest-rate',
  with: { coin: 'NOSUCHCOIN' },
};

/** The playbook of the same read, for a job that nests it. */
export function unreadPart({ failure }: Choice): Readonly<Record<string, Fields>> {
  if (failure !== 'nested-read') return {};
  return { 'parts/unread.yaml': { playbook: 1, name: 'unread', steps: [unread] } };
}

function leverageStep(isOnce: boolean): Fields {
  return {
    id: 'leverage',
    uses: 'futures/set-all-leverage',
    ...(isOnce && { 'once-per': 'playbook' }),
    with: { productType: 'USDT-FUTURES', leverage: '7' },
  };
}

function notice(id: string, text: string): Fields {
  return { id, uses: 'notify/webhook', with: { url: '{{ secrets.HOOK }}', text } };
}

function readKeys({ stepOutputs, expect, limits }: Choice): Fields {
  return {
    ...(stepOutputs === 'read' && {
      outputs: { last: '{{ response.0.lastPrice }}', all: '{{ response }}' },
    }),
    ...(expect === 'warn' && { expect: [{ that: '{{ gt (length response) 5 }}', level: 'warn' }] }),
    ...(limits === 'step' && { timeout: '8s', retry: { attempts: 3 } }),
  };
}

function pollStep({ poll, needs }: Choice): Fields {
  if (poll === 'read') {
    return {
      id: 'poll',
      ...tickers('BTCUSDT'),
      until: '{{ gt (length response) 0 }}',
      poll: { every: '1s', for: '5s' },
    };
  }
  return {
    id: 'poll',
    uses: 'order/list-history',
    ...(needs !== 'none' && { needs: ['orders'] }),
    with: { category: 'USDT-FUTURES' },
    until: '{{ gte (length response.list) 0 }}',
    poll: { every: '2s', for: '10s' },
  };
}

/** What happens when the run stops. */
export function rescueOf({ onFailure }: Choice): Fields {
  switch (onFailure) {
    case 'none':
      return {};
    case 'order':
      return {
        'on-failure': [{ id: 'rescue', uses: 'futures/place-order', with: aside('1900.00') }],
      };
    case 'page':
      return {
        'on-failure': [
          {
            id: 'sorry',
            uses: 'report/page',
            with: {
              file: 'out/sorry.html',
              parts: [
                {
                  text: 'It stopped at {{ failure.step }}: {{ failure.code }}, {{ failure.message }}',
                },
              ],
            },
          },
        ],
      };
    case 'program':
      return {
        'on-failure': [
          {
            id: 'sorry',
            uses: 'shell/run',
            with: { command: ['echo', '{{ failure.step }}', '{{ failure.message }}'] },
          },
        ],
      };
  }
}

/** What happens at the end in any case. */
export function endingOf({ finally: ending, notify }: Choice): Fields {
  const steps = [
    ...(notify === 'finally' ? [notice('told', 'job ended')] : []),
    ...(ending === 'page'
      ? [{ uses: 'report/page', with: { file: 'out/{{ run.playbook }}.html' } }]
      : []),
    ...(ending === 'read' ? [{ id: 'last', ...tickers('BTCUSDT') }] : []),
    ...(ending === 'order'
      ? [{ id: 'closing', uses: 'futures/place-order', with: aside('1800.00') }]
      : []),
  ];
  return steps.length === 0 ? {} : { finally: steps };
}
