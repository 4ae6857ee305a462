/** `runs unlock`: a person's word that the machine of a run is gone; the state keeps who said so. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, plainText } from '../../base/text.ts';
import { profileNamed } from '../../config/load.ts';
import { userName } from '../approval/person.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { storeOf } from '../running/state.ts';
import { configOf, openWork } from '../running/work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [runId = ''] = given.words;
  const comment = given.text('comment')?.trim() ?? '';
  if (comment === '') {
    throw new UsageError(
      `say how you know that the machine of ${runId} is gone`,
      `deskhand runs unlock ${runId} --comment "the runner was deleted"`,
    );
  }
  const config = await configOf(context);
  const store = await storeOf(config, context);
  const claims = await store.sync();
  const claim = claims.find(({ run: held }) => held === runId);
  const [account] = claim?.accounts ?? [];
  const givesUp = given.isOn('give-up');
  await store.unlock({
    run: runId,
    nonce: claim?.nonce,
    who: userName(),
    comment: plainText(comment),
    givesUp,
    now: account === undefined ? 0 : await exchangeTime(account.profile),
    at: context.clock.now(),
  });
  const { out } = context.terminal;
  const profiles = listed((claim?.accounts ?? []).map(({ profile }) => plainText(profile, 40)));
  if (givesUp) {
    out.line(`${profiles} is free; what ${runId} sent unreported stays unknown`);
    out.line(`${out.look.paint('strong', 'Next')}  look at the account's orders by hand`);
  } else {
    out.line(`${runId} of ${plainText(claim?.host ?? '', 80)} may be gone on with from here`);
    const next = out.look.paint('command', `deskhand resume ${runId}`);
    out.line(`${out.look.paint('strong', 'Next')}  ${next}`);
  }
  return exits.done;

  async function exchangeTime(profile: string): Promise<number> {
    const session = await openWork(context, config, profileNamed(config, profile), {
      needsKey: false,
    });
    try {
      return await session.exchange.serverTime();
    } finally {
      await session.close();
    }
  }
}
