/** The JSON of each command for `-o json` and `-o ndjson`, as JSON Schema. */
import type { Schema } from '../../exchange/api/schema.ts';
import { one } from './common.ts';
import * as exchange from './exchange.ts';
import { ordersOutput } from './order-documents.ts';
import * as playbooks from './playbooks.ts';
import * as running from './run-document.ts';
import * as runs from './run-lists.ts';
import * as schedules from './schedule-documents.ts';
import { scheduleRecord } from '../schedule/record-shape.ts';

/** Schemas of commands that print one object, by verb. */
export const outputs: Readonly<Record<string, Schema<unknown>>> = {
  init: playbooks.initOutput,
  validate: playbooks.validateOutput,
  graph: playbooks.graphOutput,
  test: playbooks.testOutput,
  rehearse: playbooks.rehearseOutput,
  plan: running.planOutput,
  run: running.runOutput,
  resume: running.runOutput,
  export: running.runOutput,
  verify: playbooks.verifyOutput,
  approve: running.approveOutput,
  decline: running.declineOutput,
  import: running.importOutput,
  drift: running.driftOutput,
  orders: ordersOutput,
  'runs list': runs.runsListOutput,
  'runs show': runs.runsShowOutput,
  'runs diff': runs.runsDiffOutput,
  'runs files': runs.runsFilesOutput,
  'runs outputs': runs.runsOutputsOutput,
  'runs verify': runs.runsVerifyOutput,
  'runs prune': runs.runsPruneOutput,
  'runs replay': runs.runsReplayOutput,
  'serve log': runs.serveLogOutput,
  'keys list': exchange.keysListOutput,
  call: exchange.callOutput,
  'schedule list': schedules.scheduleListOutput,
  'schedule next': schedules.scheduleNextOutput,
  'schedule run-due': schedules.scheduleRunDueOutput,
  'schedule log': schedules.scheduleLogOutput,
  'schedule pause': schedules.schedulePauseOutput,
  'schedule resume': schedules.schedulePauseOutput,
  'sandbox start': exchange.sandboxStartOutput,
  'sandbox reset': exchange.sandboxResetOutput,
  'sandbox advance': exchange.sandboxAdvanceOutput,
  'sandbox load': exchange.sandboxLoadOutput,
  'sandbox control': exchange.sandboxControlOutput,
  explain: exchange.explainOutput,
  doctor: exchange.doctorOutput,
  version: exchange.versionOutput,
};

/** A journal entry as `-o ndjson` prints it. */
export const entryLine: Schema<unknown> = {
  json: {
    allOf: [runs.namedEntry.json],
    properties: { version: one.json },
    required: ['version'],
  },
};

/** Schemas of commands that print one line per event, by verb. */
export const lines: Readonly<Record<string, Schema<unknown>>> = {
  run: entryLine,
  resume: entryLine,
  export: entryLine,
  'runs show': entryLine,
  'runs logs': entryLine,
  'schedule serve': scheduleRecord,
  'schedule log': scheduleRecord,
};
