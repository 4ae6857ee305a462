/** Calls of the app in this process for a page: in the folder of a desk, and with the choices made for it. */
import { redactor } from '../../base/secret.ts';
import { environmentSecrets } from '../../app/config/environment-secrets.ts';
import type { AppContext } from '../../app/app-context.ts';
import { describeError } from '../../app/running/describe.ts';
import { choicesIn } from '../../app/store/choices.ts';
import { statusOfExit } from './actions/begin.ts';
import type { CommandPlace } from './actions/launch.ts';
import type { ServerContext } from './route-context.ts';
import { Refusal } from './failure.ts';

/**
 * Calls a function when it has its turn.
 * @throws Refusal with the message that a command would print; an internal error unchanged
 */
export function inProcess<T>(
  desk: CommandPlace,
  { actions, clock }: Pick<ServerContext, 'actions' | 'clock'>,
  work: (context: AppContext) => Promise<T>,
): Promise<T> {
  const { folder, choices: { profile, config, store } = {}, config: own } = desk;
  const { env: given } = actions.program;
  const hasState = given['DESKHAND_STATE_DIR'] !== undefined; // it may be relative to another folder
  const env = { ...given, ...(hasState && { DESKHAND_STATE_DIR: own.stateDir }) };
  const context: AppContext = {
    env,
    folder,
    globals: choicesIn({ profile, config, store }, env),
    clock,
    secrets: [...environmentSecrets(env)],
    note: () => undefined, // a page shows results and errors
  };
  return actions.turns.take(async () => {
    try {
      return await work(context);
    } catch (error) {
      const { code, message, hint, exit, actor } = describeError(error);
      if (actor === 'ours') throw error;
      const redact = redactor(context.secrets);
      const help = hint === undefined ? undefined : redact(hint);
      throw new Refusal(statusOfExit(exit), code, redact(message), help);
    }
  });
}
