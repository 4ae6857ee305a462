/** `runs unlock`: a person confirms that a process or machine is gone; the state records who. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, plainText, shellWord } from '../../base/text.ts';
import { profileNamed } from '../../app/config/load.ts';
import { listRuns } from '../../engine/journal/run-list.ts';
import { locksToFree } from '../../engine/journal/unlock.ts';
import type { Claim } from '../../stores/store.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { storeOf } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import { exchangeTime } from '../../app/accounts/work.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [word = ''] = args.positionals;
  const comment = args.text('comment')?.trim() ?? '';
  const config = await configOf(context);
  const locks = await locksToFree(config.stateDir, word);
  const holders = [word, ...locks.flatMap(({ record }) => record?.holder ?? [])];
  const headers = await listRuns(config.stateDir);
  const held = headers.find((header) => holders.includes(header.run));
  const store = await storeOf(config, context, held?.destination);
  const claim = (await store.sync({})).find((each) => each.run === word);
  if (comment === '' && (claim !== undefined || locks.length > 0)) {
    throw new UsageError(
      `state how you know that the process or machine of ${word} is gone`,
      `deskhand runs unlock ${shellWord(word)} --comment "the runner was deleted"`,
    );
  }
  const profile = claim?.accounts[0]?.profile ?? held?.destination.profile;
  const isRestarted = args.isOn('restarted');
  const needsTime = claim !== undefined || !isRestarted;
  await store.unlock({
    run: word,
    nonce: claim?.nonce,
    who: userName(),
    comment: plainText(comment),
    givesUp: args.isOn('give-up'),
    now:
      profile === undefined || !needsTime
        ? 0
        : await exchangeTime(profileNamed(config, profile), config, context),
    at: context.clock.now(),
    isRestarted,
  });
  for (const { name } of locks)
    context.terminal.out.line(`the lock ${plainText(name, 80)} is free`);
  const run = claim?.run ?? held?.run;
  if (run !== undefined) next(context, { run, claim, givesUp: args.isOn('give-up') });
  return exits.done;
}

interface Unlocked {
  readonly run: string;
  readonly claim: Claim | undefined;
  readonly givesUp: boolean;
}

function next({ terminal: { out } }: Context, { run, claim, givesUp }: Unlocked): void {
  const { paint } = out.theme;
  const accounts = (claim?.accounts ?? []).map(({ profile }) => plainText(profile, 40));
  if (givesUp) {
    const free = accounts.length === 0 ? 'its account' : listed(accounts);
    out.line(`${free} is released; unreported requests of ${run} remain unknown`);
    out.line(`${paint('strong', 'Next')}  check the account's orders manually`);
    return;
  }
  if (claim) out.line(`${run} of ${plainText(claim.host, 80)} can be resumed here`);
  out.line(`${paint('strong', 'Next')}  ${paint('command', `deskhand resume ${shellWord(run)}`)}`);
}
