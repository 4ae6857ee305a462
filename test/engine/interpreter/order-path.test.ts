/** The path of an order as data: the files on the stack when it is handed to the transport. */
import { expect, test } from 'vitest';
import { live, openHarness, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`playbook: 1
name: one
steps:
  - id: order
    uses: futures/place-order
    with:${limitOrder({ price: '41000' })}
`);

/** Files of src from the task to the transport; a file that is entered again counts again. */
async function pathOfOrder(): Promise<readonly string[]> {
  const harness = await openHarness();
  const before = Error.stackTraceLimit;
  let stack = '';
  try {
    Error.stackTraceLimit = Infinity;
    await live(harness, playbook, {
      wrap: (transport) => (request, signal) => {
        if (request.operation === 'futures/place-order') stack = new Error('here').stack ?? '';
        return transport(request, signal);
      },
    });
  } finally {
    Error.stackTraceLimit = before;
  }
  const files = [...stack.matchAll(/\/src\/([\w/.-]+\.ts):/g)].map(([, file = '']) => file);
  return files.filter((file, at) => file !== files[at - 1]).toReversed();
}

test('leads from the engine over the effect through each layer of the client, and never back', async () => {
  const files = await pathOfOrder();
  expect(files).toEqual([
    'engine/runtime/task-registry.ts',
    'engine/runtime/embedded.ts',
    'engine/effects/execute-write.ts',
    'exchange/client/layers/retry.ts',
    'exchange/client/layers/anchoring.ts',
    'exchange/client/layers/limit.ts',
    'exchange/client/layers/sign.ts',
    'exchange/client/layers/trace.ts',
    'exchange/client/layers/wire.ts',
  ]);
});
