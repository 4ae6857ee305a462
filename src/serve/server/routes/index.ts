/** The table of routes. From it come the server's routes, their protection, `--read-only`, the
 * OpenAPI document and the types of the page's client.
 */
import type { Route, RouteName, SignInMode } from '../route.ts';
import { accounts, findings } from './accounts.ts';
import { about } from './about.ts';
import { runPrices } from './doubt-prices.ts';
import { events } from './events.ts';
import { firstPlaybook } from './first-playbook.ts';
import { history } from './history.ts';
import { runFile } from './run-file.ts';
import { home } from './home.ts';
import { stopJob } from './jobs.ts';
import { acknowledgeNeed } from './needs.ts';
import { openOrders } from './open-orders.ts';
import { orderFile, orders, ordersNow } from './all-orders.ts';
import { enrollPasskey } from './passkeys.ts';
import { plan, planRecord, plans, signPlan } from './plans.ts';
import { makePlan, playbook, playbooks, runTests } from './playbooks.ts';
import {
  lookUpDoubts,
  resolveDoubt,
  resumeRun,
  runActions,
  settleDoubts,
  stop,
} from './run-actions.ts';
import { answerQuestion, questionRecord, questions } from './questions.ts';
import { runPlan } from './run-plan.ts';
import { planSinceRun, runCompared, runRelated } from './run-related.ts';
import { run, runEvents } from './run-routes.ts';
import { runItems, runStep } from './run-steps.ts';
import { advanceSandbox, faultSandbox, resetSandbox, sandbox } from './sandbox.ts';
import { pauseSchedule, resumeSchedule, runSchedule, schedules } from './schedules.ts';
import { setAsideRun } from './set-aside.ts';
import { searchEvents } from './search.ts';
import { endSession, newSession } from './sessions.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';

export const routes = {
  'POST /session': newSession,
  'POST /session/end': endSession,
  'GET /sign-in': beginSignIn,
  'GET /sign-in/return': finishSignIn,
  'GET /about': about,
  'GET /home': home,
  'GET /orders': orders,
  'GET /orders/now': ordersNow,
  'GET /orders/file': orderFile,
  'POST /needs/acknowledge': acknowledgeNeed,
  'GET /runs/{run}': run,
  'GET /runs/{run}/events': runEvents,
  'GET /runs/{run}/step': runStep,
  'GET /runs/{run}/items': runItems,
  'GET /runs/{run}/file': runFile,
  'GET /runs/{run}/related': runRelated,
  'GET /runs/{run}/compared': runCompared,
  'GET /runs/{run}/plan-since': planSinceRun,
  'GET /runs/{run}/actions': runActions,
  'GET /runs/{run}/prices': runPrices,
  'POST /runs/{run}/resume': resumeRun,
  'POST /runs/{run}/resolve': resolveDoubt,
  'POST /runs/{run}/look-up': lookUpDoubts,
  'POST /runs/{run}/settle': settleDoubts,
  'POST /runs/{run}/set-aside': setAsideRun,
  'POST /runs/{run}/stop': stop,
  'GET /runs/{run}/questions': questions,
  'GET /runs/{run}/answer': questionRecord,
  'POST /runs/{run}/answer': answerQuestion,
  'POST /jobs/{job}/stop': stopJob,
  'GET /plans': plans,
  'GET /plans/{plan}': plan,
  'GET /plans/{plan}/record': planRecord,
  'POST /plans/{plan}/decision': signPlan,
  'POST /passkeys': enrollPasskey,
  'GET /playbooks': playbooks,
  'POST /playbooks/first': firstPlaybook,
  'GET /playbook': playbook,
  'POST /playbook/test': runTests,
  'POST /plans': makePlan,
  'POST /plans/{plan}/run': runPlan,
  'GET /history': history,
  'GET /search': searchEvents,
  'GET /schedules': schedules,
  'POST /schedules/pause': pauseSchedule,
  'POST /schedules/resume': resumeSchedule,
  'POST /schedules/{id}/run': runSchedule,
  'GET /accounts': accounts,
  'GET /accounts/{profile}/findings': findings,
  'GET /accounts/{profile}/orders': openOrders,
  'GET /sandbox': sandbox,
  'POST /sandbox/advance': advanceSandbox,
  'POST /sandbox/fault': faultSandbox,
  'POST /sandbox/reset': resetSandbox,
  'GET /events': events,
} satisfies RouteTable;

export type Routes = typeof routes;

export type { AnswerOf, BodyOf, EventOf, ParametersOf } from '../route.ts';

export type RouteTable = Readonly<Record<RouteName, Route>>;

/**
 * A table as a list.
 * @param isReadOnly without routes that change something
 * @param mode without routes of another mode; default: of all
 */
export function routesOf(
  isReadOnly: boolean,
  table: RouteTable = routes,
  mode?: SignInMode,
): readonly (readonly [RouteName, Route])[] {
  const all = Object.entries(table) as readonly (readonly [RouteName, Route])[];
  return all.filter(([, route]) => {
    if (mode !== undefined && route.mode !== undefined && route.mode !== mode) return false;
    return !isReadOnly || route.kind !== 'write' || route.isKept === true;
  });
}
