/** `POST /playbooks/first`: writes a playbook that a newcomer plans and runs on the sandbox. */
import { optional, record, text } from '../../../exchange/api/schema.ts';
import { refusalOf } from '../actions/begin.ts';
import { launch } from '../actions/launch.ts';
import { press } from '../actions/presses.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { playbookFiles } from '../playbooks/checked.ts';
import { deskNamed } from '../route-context.ts';
import { exactRecord, noFields, writes } from '../route.ts';

const name = 'first-order';

/** A limit order below the market of the sandbox, so that it rests. */
const order = {
  symbol: 'ETHUSDT',
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  side: 'buy',
  tradeSide: 'open',
  orderType: 'limit',
  price: '2900',
  size: '0.1',
};

export const firstPlaybook = writes({
  title: 'Write a first playbook of one sandbox order, as `deskhand new` does',
  role: 'operator',
  parameters: noFields,
  body: exactRecord({ press, desk: optional(text({ maxLength: 80 })) }),
  answer: record({ file: text({ description: 'The playbook, relative to its desk' }) }),
  audited: () => `new ${name}`,
  handle: async ({ body, session }, server) => {
    const desk = deskNamed(server, body.desk);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    const pressed = { id: body.press, stateDir, who, what: `new ${name}` };
    return server.actions.presses.once(pressed, async (log) => {
      if ((await playbookFiles(desk)).length > 0) {
        throw new Refusal(409, 'usage', 'this repository has playbooks', 'plan one of them');
      }
      const fields = Object.entries(order).flatMap((pair) => ['--with', pair.join('=')]);
      const words = ['new', name, '--operation', 'futures/place-order', '--once-per', 'run'];
      const account = ['--account', sandboxOf(desk)];
      const { ended } = launch(
        server.actions.program,
        desk,
        [...words, ...account, ...fields],
        log,
      );
      const end = await ended;
      if (end.code !== 0) throw refusalOf(end);
      return { file: `playbooks/${name}.yaml` };
    });
  },
});

/** The profile of a sandbox: that of the desk, else its first one. */
function sandboxOf({ config: { profiles, initial } }: Desk): string {
  const of = [profiles.get(initial), ...profiles.values()].find(
    (each) => each?.target === 'sandbox',
  );
  if (of !== undefined) return of.name;
  throw new Refusal(409, 'usage', 'no profile of this repository is a sandbox');
}
