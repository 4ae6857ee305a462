/** The description of a topic as JSON. */
import {
  companionNames,
  interfaceNames,
  operationOf,
} from '../../exchange/api/operations/index.ts';
import { helperPages } from '../../language/expression/helpers/index.ts';
import { builtIns } from '../../language/playbook.ts';
import { rules } from '../../language/rules.ts';
import { ofBuiltIns } from '../../language/schema/with.ts';
import type { ExplainOutput } from '../documents/exchange.ts';
import { errorNames } from './errors.ts';
import { subjects } from './subjects.ts';
import type { Topic } from './topics.ts';

/** A topic as JSON, or the list of topics. */
export function explained(topic: Topic | undefined): ExplainOutput {
  return topic === undefined ? index() : dataOf(topic);
}

const version = 1; // of the JSON output

function dataOf(topic: Topic): ExplainOutput {
  switch (topic.kind) {
    case 'operation':
      return { version, ...topic, operation: operationOf(topic.name) };
    case 'built-in':
      return { version, ...topic, with: ofBuiltIns[topic.name] };
    case 'subject':
      return { version, ...topic, ...subjects[topic.name] };
    case 'error':
      return { version, ...topic, explanation: errorNames[topic.name] };
    case 'rule':
    case 'helper':
    case 'answer':
      return { version, ...topic };
  }
}

function index(): ExplainOutput {
  return {
    version,
    operations: interfaceNames,
    companions: companionNames,
    builtIns,
    subjects: Object.keys(subjects),
    rules: rules.map(({ code, title }) => ({ code, title })),
    helpers: helperPages.map(({ name, usage }) => ({ name, usage })),
    errors: Object.keys(errorNames),
  };
}
