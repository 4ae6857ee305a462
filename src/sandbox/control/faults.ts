/** Control of faults: which requests fail, how, and how often. */
import { list, record, type Infer } from '../../exchange/api/schema.ts';
import type { FaultAction, FaultRule } from '../faults/rules.ts';
import { fault } from '../scenario/fault.ts';
import { closed } from '../scenario/words.ts';
import { asking, type ControlTable } from './control-context.ts';

export const faultControls: ControlTable = {
  faults: {
    GET: (_fields, { store }) => store.world().registry.faults,
    PUT: asking(record({ rules: list(fault) }, closed), ({ rules }, { store }) => {
      store.commit({ kind: 'arm', rules: rules.map(ruleOf) });
      return store.world().registry.faults;
    }),
  },
};

type Fault = Infer<typeof fault>;

/** A rule with the defaults for omitted parts. */
export function ruleOf({ match = {}, when = 'before', action, ...rest }: Fault): FaultRule {
  return { match, when, action: actionOf(action), ...rest };
}

/** The action with only the fields of its kind; the schema guarantees that they exist. */
function actionOf(action: Fault['action']): FaultAction {
  const { kind, status = 500, code = '40015', ms = 0, everyMs = 0 } = action;
  switch (kind) {
    case 'status':
      return {
        kind,
        status,
        code,
        ...(action.retryAfter !== undefined && { retryAfter: action.retryAfter }),
      };
    case 'delay':
    case 'late-commit':
    case 'stale-reads':
      return { kind, ms };
    case 'never':
      return { kind, ...(action.ms !== undefined && { ms }) };
    case 'slow-drip':
      return { kind, everyMs };
    case 'reset':
    case 'empty':
    case 'truncated':
    case 'wrong-content-type':
    case 'html-502':
      return { kind };
  }
}
