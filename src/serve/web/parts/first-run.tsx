/** A desk without runs: what a playbook is, and the way to the first run. */
import type { JSX } from 'preact';
import { count } from '../../../base/text.ts';
import { write } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { go, planPath, playbookPath } from '../router.ts';
import { useMayAct } from '../who.ts';
import { Action } from './action.tsx';
import { Copied } from './copy.tsx';
import { Panel } from './panel.tsx';

export function FirstRun(): JSX.Element | null {
  const { answer } = useLoaded('GET /playbooks', {}, () => false);
  if (answer === undefined) return null;
  const many = answer.playbooks.length;
  return (
    <Panel id="first" title="The first run">
      <p>
        No runs yet. A playbook is a file that says what is sent to an exchange. Its plan shows each
        order before it is sent, and a run sends exactly what a plan shows.
      </p>
      {many > 0 ? (
        <p>
          <a class="button" href="/playbooks">
            Plan one of {count(many, 'playbook')}
          </a>
        </p>
      ) : (
        <Demo />
      )}
      <dl class="definitions commands">
        {(many > 0 ? commands.withPlaybooks : commands.withoutPlaybooks).map(([command, does]) => (
          <div>
            <dt>
              <Copied text={command} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const commands = {
  withPlaybooks: [
    ['deskhand plan playbooks/NAME.yaml', 'shows what a run would do'],
    ['deskhand run playbooks/NAME.yaml', 'plans and runs it'],
  ],
  withoutPlaybooks: [
    ['deskhand init --example order-ladder', 'an example with its test, profiles and editor help'],
    ['deskhand new', 'a playbook of one operation, from answers to questions'],
    ['deskhand demo', 'a run on the built-in exchange, and its report'],
  ],
} as const;

/** Makes a playbook and its plan, which the person then runs; only on a sandbox. */
function Demo(): JSX.Element | null {
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  const mayAct = useMayAct('operator');
  const desk = about?.desks.find(({ accounts }) => accounts.some(isSandbox));
  if (!mayAct || desk === undefined) return null;
  return (
    <Action
      label="Make a demo playbook and plan it"
      does="Write the playbook and plan it"
      isMain
      act={async ({ press }) => {
        const { file } = await write('POST /playbooks/first', {}, { press, desk: desk.name });
        const wanted = { press: crypto.randomUUID(), desk: desk.name, file, inputs: {} };
        const { plan, lines } = await write('POST /plans', {}, wanted);
        go(plan === undefined ? playbookPath(file, desk.name) : planPath(plan, desk.name));
        return lines;
      }}
    >
      <p>
        <code>deskhand new</code> writes <code>playbooks/first-order.yaml</code> and its test: one
        order of 0.1 ETHUSDT on the sandbox. <code>deskhand plan</code> then shows it. Nothing is
        sent before you press <b>Run it</b> on its plan.
      </p>
    </Action>
  );
}

function isSandbox({ target }: { readonly target: string }): boolean {
  return target === 'sandbox';
}
