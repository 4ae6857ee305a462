/** The steps of a job around its orders. */
import type { Choice } from './features.ts';
import {
  aside,
  closedOrders,
  leverageCall,
  openOrders,
  ordersIn,
  refusedRead,
  rowsSince,
} from './calls.ts';
import { approver } from './approver.ts';
import { reportsOf, rowsOf } from './reports.ts';

type Fields = Readonly<Record<string, unknown>>;

const tickers = (symbol: string): Fields => ({
  uses: 'market/list-tickers',
  with: { category: 'USDT-FUTURES', symbol },
});

/** Steps before the orders. */
export function beforehand(choice: Choice): readonly Fields[] {
  const { leverage, read, sub, wait, approve, notify, program, item, price, onError, failure } =
    choice;
  return [
    { id: 'market', ...tickers('BTCUSDT'), ...readKeys(choice) },
    ...(read === 'before'
      ? [
          {
            id: 'bills',
            ...rowsSince(choice, {
              startTime: "{{ addDays (startOfDay tz='Europe/Berlin') -7 tz='Europe/Berlin' }}",
            }),
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
    ...(leverage === 'before' || leverage === 'once' ? [leverageStep(choice)] : []),
    ...(wait === 'before' ? [{ id: 'pause', uses: 'wait', with: { for: '3s' } }] : []),
    ...(wait === 'input'
      ? [{ id: 'pause', uses: 'wait', with: { for: '{{ inputs.pause }}' } }]
      : []),
    ...(approve === 'none' ? [] : [approveStep(choice)]),
    ...(failure === 'unfit'
      ? [
          { id: 'sooner', ...aside(choice, '1800.00') },
          { id: 'latest', ...tickers('ETHUSDT') },
        ]
      : []),
    ...(item === 'late'
      ? [
          { id: 'early', ...aside(choice, '2000.00') },
          {
            id: 'later',
            ...openOrders(choice, { symbol: 'ETHUSDT' }),
            needs: ['early'],
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
            ...openOrders(choice),
            ...(onError === 'continue' && { 'on-error': 'continue' }),
          },
        ]
      : []),
  ];
}

function approveStep({ approve }: Choice): Fields {
  const who = approve === 'named' ? { by: [approver.entry.who], count: 1 } : {};
  const text = 'Begin {{ run.playbook }} at {{ length steps.market.response }} price?';
  return { id: 'consent', uses: 'approve', with: { text, for: '5m', ...who } };
}

/** Steps after the orders. */
/** @param cancel the step that cancels the orders */
export function afterwards(choice: Choice, cancel: Fields): readonly Fields[] {
  const { leverage, wait, notify, poll, program, failure, onError, needs } = choice;
  const goesOn = onError === 'continue' ? { 'on-error': 'continue' } : {};
  return [
    ...(leverage === 'after'
      ? [{ ...leverageStep(choice), ...(needs === 'all' && { needs: ['orders'] }) }]
      : []),
    ...(choice.cancel === 'after' ? [cancel] : []),
    ...(wait === 'after' ? [{ id: 'pause', uses: 'wait', with: { for: '2s' } }] : []),
    ...(failure === 'refused'
      ? [
          {
            id: 'refused',
            ...aside(choice, '2100.00', { isClose: true }),
            ...goesOn,
          },
        ]
      : []),
    ...(failure === 'unfit'
      ? [
          {
            id: 'unfit',
            ...aside(choice, '2100.00', { side: '{{ steps.latest.response.0.symbol }}' }),
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
    ...(failure === 'read' ? [{ ...unread(choice), ...goesOn }] : []),
    ...(failure === 'nested-read'
      ? [{ id: 'within', uses: './parts/unread.yaml', ...goesOn }]
      : []),
    ...(failure === 'partial' || failure === 'limited' ? partialSteps(choice) : []),
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

/** A read of which an item is refused, and what is made of the others: a table, a page and an order. */
function partialSteps(choice: Choice): readonly Fields[] {
  return [
    {
      id: 'rates',
      'for-each': ['BTCUSDT', 'NOSUCHUSDT', 'ETHUSDT'],
      'on-error': 'partial',
      ...(choice.failure === 'limited' && { 'max-failures': 1 }),
      ...tickers('{{ each.value }}'),
    },
    {
      id: 'coins',
      uses: 'report/table',
      with: { from: 'rates', columns: { coin: '{{ row.key }}', price: '{{ row.lastPrice }}' } },
    },
    {
      id: 'coins-page',
      uses: 'report/page',
      with: {
        file: 'out/coins.md',
        parts: [{ table: 'coins', width: 'half' }, { text: missingText }],
      },
    },
    {
      id: 'hedge',
      ...aside(choice, '2200.00'),
      if: '{{ lt (length steps.rates.outputs) (add 2 (length steps.rates.failed)) }}',
    },
  ];
}

const missingText = "Without {{ join (pluck steps.rates.failed 'key') ', ' }}";

const unread = (choice: Choice): Fields => ({ id: 'unread', ...refusedRead(choice) });

/** The playbook of the same read, for a job that nests it. */
export function unreadPart(choice: Choice): Readonly<Record<string, Fields>> {
  if (choice.failure !== 'nested-read') return {};
  return { 'parts/unread.yaml': { playbook: 1, name: 'unread', steps: [unread(choice)] } };
}

function leverageStep(choice: Choice): Fields {
  const isOnce = choice.leverage === 'once';
  return {
    id: 'leverage',
    ...leverageCall(choice),
    ...(isOnce && { 'once-per': 'playbook' }),
  };
}

function notice(id: string, text: string): Fields {
  const more = { subject: 'job {{ run.id }}', link: true };
  return { id, uses: 'notify/webhook', with: { url: '{{ secrets.HOOK }}', text, ...more } };
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

function pollStep(choice: Choice): Fields {
  const { poll, needs } = choice;
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
    ...closedOrders(choice),
    ...(needs !== 'none' && { needs: ['orders'] }),
    until: `{{ gte (length response.${ordersIn(choice)}) 0 }}`,
    poll: { every: '2s', for: '10s' },
  };
}

/** What happens when the run stops. */
export function rescueOf(choice: Choice, cancel: Fields): Fields {
  switch (choice.onFailure) {
    case 'none':
      return {};
    case 'cancel':
      return { 'on-failure': [{ ...cancel, id: 'undo' }] };
    case 'order':
      return {
        'on-failure': [{ id: 'rescue', ...aside(choice, '1900.00') }],
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
export function endingOf(choice: Choice, cancel: Fields): Fields {
  const { finally: ending, notify } = choice;
  const steps = [
    ...(notify === 'finally' ? [notice('told', 'job ended')] : []),
    ...(ending === 'page'
      ? [{ uses: 'report/page', with: { file: 'out/{{ run.playbook }}.html' } }]
      : []),
    ...(ending === 'cancel' ? [{ ...cancel, id: 'clear' }] : []),
    ...(ending === 'read' ? [{ id: 'last', ...tickers('BTCUSDT') }] : []),
    ...(ending === 'order' ? [{ id: 'closing', ...aside(choice, '1800.00') }] : []),
  ];
  return steps.length === 0 ? {} : { finally: steps };
}
