/** Control of faults: which requests go wrong, how, and how often. */
import { isOperation, type OperationName } from '../../contract/operations/index.ts';
import { faultKinds, type FaultAction, type FaultMatch, type FaultRule } from '../faults/rules.ts';
import { Refusal } from '../refusal.ts';
import type { ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const faultControls: ControlTable = {
  faults: {
    GET: (_fields, { store }) => store.world().registry.faults,
    PUT: (fields, { store }) => {
      store.commit({ kind: 'arm', rules: fields.each('rules').map(ruleOf) });
      return store.world().registry.faults;
    },
  },
};

/** A rule from its JSON. @throws Refusal when it makes no sense */
export function ruleOf(fields: Fields): FaultRule {
  const times = fields.optionalNumber('times');
  return {
    match: fields.has('match') ? matchOf(fields.within('match')) : {},
    when: fields.optionalChoice('when', ['before', 'after-commit']) ?? 'before',
    action: actionOf(fields.within('action')),
    ...(times !== undefined && { times }),
  };
}

function matchOf(fields: Fields): FaultMatch {
  const uid = fields.optionalText('uid');
  const nth = fields.optionalNumber('nth');
  const probability = fields.optionalNumber('probability');
  return {
    ...(fields.has('operation') && { operation: operationIn(fields) }),
    ...(uid !== undefined && { uid }),
    ...(nth !== undefined && { nth }),
    ...(probability !== undefined && { probability }),
  };
}

function operationIn(fields: Fields): OperationName {
  const name = fields.text('operation');
  if (!isOperation(name)) throw new Refusal('40020', `no operation ${name}`);
  return name;
}

function actionOf(fields: Fields): FaultAction {
  const kind = fields.choice('kind', faultKinds);
  switch (kind) {
    case 'status':
      return {
        kind,
        status: fields.number('status'),
        code: fields.optionalText('code') ?? '40015',
      };
    case 'delay':
    case 'late-commit':
    case 'stale-reads':
      return { kind, ms: fields.number('ms') };
    case 'never': {
      const ms = fields.optionalNumber('ms');
      return { kind, ...(ms !== undefined && { ms }) };
    }
    case 'slow-drip':
      return { kind, everyMs: fields.number('everyMs') };
    case 'reset':
    case 'empty':
    case 'truncated':
    case 'wrong-content-type':
    case 'html-502':
      return { kind };
  }
}
