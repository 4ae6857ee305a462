/** `GET /runs/{run}/step` and its items: what the graph and the time line of a run lead to. */
import { optional } from '../../../exchange/api/schema.ts';
import { storyOf } from '../../../report/story.ts';
import { summaryOfStory } from '../../../report/summary.ts';
import { NotFoundError } from '../failure.ts';
import { strip, stripOf } from '../progress/strip.ts';
import type { Reading } from '../progress/live-run.ts';
import { stepView, stepViewOf } from '../progress/step.ts';
import { deskOf, type ServerContext } from '../route-context.ts';
import {
  exactRecord,
  numberIn,
  numberParameter,
  parameter,
  reads,
  runParameters,
} from '../route.ts';

const addressParameter = parameter('The step or item, as in the journal', 2_000);

export const runStep = reads({
  title: 'Show a step or an item of a run: its state, what it waits for, its requests',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    at: addressParameter,
    from: optional(numberParameter('Steps of its nested playbook before the first one to show')),
    page: optional(numberParameter('The page of its requests')),
  }),
  answer: stepView,
  handle: async ({ parameters }, server) => {
    const { at: address, from, page } = parameters;
    return stepViewOf(
      { address, ...numberIn('from', from), ...numberIn('page', page) },
      await readingOf(parameters, server),
    );
  },
});

export const runItems = reads({
  title: 'List the items of a for-each: what needs a person first, then the slowest',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    at: addressParameter,
    find: optional(parameter('A part of the key', 200)),
    state: optional(parameter('Only items in this state', 20)),
    page: optional(numberParameter('The page')),
  }),
  answer: strip,
  handle: async ({ parameters }, server) => {
    const { at, find, state, page } = parameters;
    const reading = await readingOf(parameters, server);
    const step = reading.story.steps.find(({ id }) => id === at);
    if (step === undefined) throw new NotFoundError('this run has no such step with items');
    const part = { ...(find && { find }), ...(state && { state }), ...numberIn('page', page) };
    return stripOf(step, part, reading);
  },
});

/** @throws NotFoundError unless the run exists and has begun */
async function readingOf(
  { run, desk: name }: { readonly run: string; readonly desk?: string },
  server: ServerContext,
): Promise<Reading> {
  const desk = deskOf(server, run, name);
  const entries = await desk.entries(run);
  if (entries.length === 0) throw new NotFoundError('the run ended before its first entry');
  const story = storyOf(entries);
  const isRunning = desk.runs.row(run)?.state === 'running';
  return { story, summary: summaryOfStory(story), isRunning, structures: desk.structures };
}
