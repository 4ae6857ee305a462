/** Plans and checks of playbooks for an embedding program; loaded at its first call. */
import { savePlan } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { problemsAsJson } from '../../language/format.ts';
import { configOf, configToRead, profileOf } from '../config/opened.ts';
import { folderOf } from '../app-context.ts';
import { newPlan } from '../planning/new-plan.ts';
import { loadBytes } from '../planning/playbooks.ts';
import { checkedPlaybook, limitsHere } from '../planning/validate.ts';
import { playbookOf } from './given.ts';
import { safely } from './safe-error.ts';
import { choiceOf, inputsGiven } from './inputs.ts';
import type { PlanOptions, PlaybookSource, ValidateOptions } from './options.ts';
import type { Validation } from './validation.ts';

/** Makes and saves a plan. */
export async function planned(options: PlanOptions): Promise<Plan> {
  return safely('plan', options, async (context) => {
    const isOffline = options.isOffline === true;
    const config = await (isOffline ? configToRead : configOf)(context);
    const { bytes, file } = await playbookOf(options.playbook, folderOf(context));
    const whole = loadBytes(bytes, file, config, context);
    const values = inputsGiven(options);
    const profile = profileOf(context, config, whole.account);
    const choice = choiceOf(options);
    const plan = await newPlan({ whole, values, profile, choice, isOffline }, config, context);
    if (!isOffline) await savePlan(config.stateDir, plan);
    return plan;
  });
}

/** Validates playbooks. */
export async function validated(options: ValidateOptions): Promise<Validation> {
  return safely('validate', options, async (context) => {
    const { playbooks } = options;
    const limits = await limitsHere(context);
    const sources = isList(playbooks) ? playbooks : [playbooks];
    const checked = await Promise.all(
      sources.map(async (source, at) => {
        const { bytes, file } = await playbookOf(
          source,
          folderOf(context),
          sources.length > 1 ? `<playbook ${at + 1}>` : undefined,
        );
        return checkedPlaybook(bytes, file, limits, context);
      }),
    );
    const files = [...new Map(checked.flat().map((each) => [each.file, each])).values()];
    const hasErrors = files.some(({ problems }) => problems.some(({ level }) => level === 'error'));
    return { isValid: !hasErrors, files: problemsAsJson(files).files };
  });
}

function isList(playbooks: ValidateOptions['playbooks']): playbooks is readonly PlaybookSource[] {
  return Array.isArray(playbooks);
}
