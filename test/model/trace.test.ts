/** The transitions that model and code share, and what a trace must not contain. */
import { describe, expect, test } from 'vitest';
import { checkTrace, type Traced } from './trace.ts';
import { printedTransitions, type TraceEvent } from './transitions.ts';

/** `A claim` and then events of A; `B: intend` is of another process. */
function traceOf(text: string): readonly Traced[] {
  let actor = 'A';
  return text.split(' ').flatMap((word) => {
    if (word.endsWith(':')) actor = word.slice(0, -1);
    if (word.endsWith(':')) return [];
    const event = word as TraceEvent;
    const isOfAll = event === 'claim' || event === 'exit';
    return [{ actor, event, ...(!isOfAll && { identity: 'X' }) }];
  });
}

describe('a trace is accepted', () => {
  test.each([
    ['of an order that is placed', 'claim intend send execute done end'],
    [
      'of one that is refused and sent again',
      'claim intend send fail end claim intend send execute done end',
    ],
    ['of an attempt that is absent, and another', 'claim intend send intend send execute done end'],
    ['of a takeover that finds it', 'claim intend send B: claim A: execute B: done end'],
    [
      'of a request that leaves after the takeover',
      'claim intend B: claim A: send execute B: done end',
    ],
    ['of a doubt that a person settles', 'claim intend send doubt end execute P: claim done exit'],
    [
      'of a person who is wrong, and a lookup',
      'claim intend send execute P: claim absent exit B: claim done end',
    ],
    ['of a store that forgot it', 'claim intend send execute S: forget B: claim suspect done end'],
  ])('%s', (_, text) => {
    expect(checkTrace(traceOf(text))).toBeUndefined();
  });
});

describe('a trace is refused', () => {
  test.each([
    [
      'that executes it twice',
      'claim intend send execute intend',
      'A must not intend when it is openX',
    ],
    [
      'that executes it late',
      'claim intend send fail execute',
      'A must not execute when it is failed',
    ],
    ['that sends before the intent', 'claim send', 'A must not send when the process is in'],
    [
      'that sends twice for one intent',
      'claim intend send send',
      'A must not send when the process is in',
    ],
    [
      'that ends with an open write',
      'claim intend send execute end',
      'A must not end when it is openX',
    ],
    [
      'that reports an execution as failed',
      'claim intend send execute fail',
      'A must not fail when it is openX',
    ],
    [
      'that reports what was not executed',
      'claim intend send done',
      'A must not done when it is open',
    ],
    [
      'that records after a takeover',
      'claim intend B: claim A: doubt',
      'A must not doubt when the process is late',
    ],
    [
      'that sends again what a person is wrong about',
      'claim intend send execute P: claim absent exit B: claim intend',
      'B must not intend when it is absentX',
    ],
    [
      'that sends what the store forgot',
      'claim intend send S: forget B: claim intend',
      'B must not intend when it is forgotten',
    ],
    [
      'that ends without what the store forgot',
      'claim intend send execute S: forget B: claim end',
      'B must not end when it is forgottenX',
    ],
  ])('%s', (_, text, wrong) => {
    expect(checkTrace(traceOf(text))).toContain(`X: ${wrong} (`);
  });
});

test('each write has its own state, and a claim is of all of them', () => {
  const events: readonly Traced[] = [
    { actor: 'A', event: 'claim' },
    { actor: 'A', event: 'intend', identity: 'X' },
    { actor: 'A', event: 'intend', identity: 'Y' },
    { actor: 'A', event: 'send', identity: 'X' },
    { actor: 'B', event: 'claim' },
  ];
  const late = (identity: string): readonly Traced[] => [
    ...events,
    { actor: 'A', event: 'send', identity },
  ];
  expect(checkTrace(late('Y'))).toBeUndefined();
  expect(checkTrace(late('X'))).toContain('X: A must not send when the process is out');
});

test('the tables are printed for SPIN: an event in another state is NEVER', () => {
  expect(printedTransitions()).toContain(
    '#define AFTER_execute(s) (s == OPEN -> OPEN_X : (s == DOUBT -> DOUBT_X : ',
  );
  expect(printedTransitions()).toContain(
    '#define ACTOR_send(s) (s == P_ARMED -> P_IN : (s == P_LATE -> P_OUT : NEVER))',
  );
});
