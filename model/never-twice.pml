/*
 * No order twice, as a model: SPIN tries every order of actions of everything below (`model/check`).
 *
 * One order; two processes of a run, and one of a second run that places the same order on the same
 * account; the store with their journals, which may forget its last lines; the exchange; a person.
 *
 * How to read Promela: `do` repeats and `if` takes any option whose condition (before `->`) is true.
 * A `d_step` is one action; an `inline` is text that is inserted where it is named. A process may be
 * interrupted between two actions for any time, and one that never continues has crashed. A false
 * `assert` fails the check.
 *
 * | action            | in the code                                                               |
 * |-------------------|---------------------------------------------------------------------------|
 * | claim             | a process takes its run and the account; its epoch is above all before it |
 * | suspect           | `taken-over`, and an intent for what a lost process may have sent         |
 * | intend, send      | `recordIntent`, then one request with that signature (`executeWrite`)     |
 * | execute           | the exchange executes the order, maybe long after it was sent             |
 * | look              | one search of both lists (`reconcile`)                                    |
 * | done, fail, doubt | `settled`                                                                 |
 * | absent, abandon   | `resolve --absent`, `resolve --abandon`; `resolve --placed` is `done`     |
 * | forget            | a standby without the last lines is promoted, or a copy is restored       |
 * | end               | `finished`: the run reports the order as it is recorded                   |
 *
 * Time is counted in ticks since a request was signed. It may be executed up to age VALID. An order
 * that was executed, or has moved to the other list, is shown before LAG more ticks have passed. A
 * clock is up to ERROR ticks ahead; the fence is the age FENCE by that clock.
 *
 * `variants.pml` has the policies and the planted defects.
 */
#define VALID 1
#define LAG 2
#define ERROR 1
#define FENCE (VALID + LAG + ERROR)
#define OLD (VALID + LAG) /* older makes no difference */
#define CLAIMS 3          /* processes that start, in all */
#define REQUESTS 3        /* requests that are signed, in all */
#define LOST_REQUESTS 8   /* a bit like those of the three: all that a lost process may have signed */
#define PERSON 3
#define NOBODY 4

#include "transitions.pml" /* the next state of an order, and of a process */
#include "variants.pml"    /* the conditions that policies and planted defects change */

/* The order and the processes as the tables see them, from outside; executions by the exchange. */
mtype:order order = NEW;
mtype:place actor[4] = P_OUT;
byte executions;

/* Records a transition of the tables: one that they do not have fails the check. */
#ifdef ORDERS_ONLY /* for planted defects: what they lead to, not only the first wrong transition */
#define keeps(what) assert(isReported)
#define acts(p, what) skip
#else
#define keeps(what) order = AFTER_##what(order); assert(order != NEVER && isReported)
#define acts(p, what) actor[p] = ACTOR_##what(actor[p]); assert(actor[p] != NEVER)
#endif

/* ---- The store: what each run has recorded about the order, and which process has the run ---- */
typedef Store {
  mtype:order recorded[2] = NEW; /* without X */
  byte requests[2]; /* those without an outcome, one bit each */
  byte holder[2] = NOBODY; /* the process with the newest epoch */
  bool ended[2];
  bool begun[2];    /* the incarnation of its newest line */
  byte account = NOBODY /* the run that has the account */
}
Store store, standby, nothing;
bool incarnation;

inline copy(to, from) {
  for (i : 0 .. 1) {
    to.recorded[i] = from.recorded[i]; to.requests[i] = from.requests[i];
    to.holder[i] = from.holder[i]; to.ended[i] = from.ended[i]; to.begun[i] = from.begun[i]
  }
  to.account = from.account; i = 0
}

#define isOpen(r) (store.recorded[r] != NEW && store.recorded[r] != DONE && store.recorded[r] != FAILED)
#define isDone (store.recorded[0] == DONE || store.recorded[1] == DONE)
#define isSaid(r) (store.requests[r] == 0 || store.recorded[r] == ABSENT)
#define mayBegin(r) (!store.ended[r] || isOpen(r) || store.recorded[r] == FAILED)
#define mayTake(r) (store.account == NOBODY || store.account == r) /* a lease may end at any time */
/* What was executed is recorded as done, or is open: then a person finds it, or the next process
 * looks it up. Or the next process has to suspect it, because the store forgot lines. */
#define isReported (executions == 0 || isDone || isOpen(0) || isOpen(1) || \
  (!isBegun(0) && mayBegin(0)) || (!isBegun(1) && mayBegin(1)))

/* ---- The exchange ---- */
mtype:list = { UNLISTED, OPENED, MOVING, MOVED }; /* in no list, open, between the lists, in the history */
mtype:list list = UNLISTED;
byte unlisted;                 /* ticks since it is in no list */
byte age[4] = OLD, signings;   /* of each request, and of the newest suspicion */
byte flying, awaited, executed, refused; /* requests, one bit each; the last two are responses */
byte looked[3];                /* of each process: 0, or 1 + the ticks since its first look */

#define isListed (list == OPENED || list == MOVED)
#define isMissing ((list == UNLISTED && executions > 0) || list == MOVING)
#define isOld(n, bits) ((bits & (1 << n)) == 0 || age[n] + AHEAD >= FENCE)
#define isPast(bits) (isOld(0, bits) && isOld(1, bits) && isOld(2, bits) && isOld(3, bits))
#define isAging (age[0] < OLD || age[1] < OLD || age[2] < OLD || age[3] < OLD)
#define isLooking(p) (looked[p] > 0 && looked[p] <= LAG)

inline appears() { list = (list == UNLISTED -> OPENED : MOVED); unlisted = 0 }
inline responds(n, how) { flying = flying & ~(1 << n); how = how | (awaited & (1 << n)) }

#define exchange_has(n) \
  :: d_step { (flying & (1 << n)) && age[n] <= VALID -> \
      responds(n, executed); executions++; assert(executions <= 1); keeps(execute) } \
  :: d_step { (flying & (1 << n)) -> responds(n, refused) }

active proctype exchange() {
  byte i;
end:
  do
  exchange_has(0)
  exchange_has(1)
  exchange_has(2)
  :: d_step { isMissing -> appears() }
  :: d_step { list == OPENED -> list = MOVING }
  :: d_step { isAging || isMissing || isLooking(0) || isLooking(1) || isLooking(2) -> /* a tick */
      for (i : 0 .. 3) { if :: age[i] < OLD -> age[i]++ :: else fi }
      for (i : 0 .. 2) {
        if :: isLooking(i) -> looked[i]++ :: else fi;
        if :: (flying & (1 << i)) && age[i] > VALID -> responds(i, refused) :: else fi
      }
      i = 0;
      if
      :: isMissing && unlisted + 1 == LAG -> appears()
      :: isMissing && unlisted + 1 < LAG -> unlisted++
      :: else
      fi }
  od
}

/* ---- A process of a run ---- */
mtype:step = { OUTSIDE, BEGINS, KNOWN, LOOKS, READY, ARMED, WAITS, FOUND, REFUSED, DOUBTFUL, ENDS };
typedef Process {
  mtype:step at = OUTSIDE;
  byte job, mine, wait; /* its run; the request that it signed, and all that it has to look up */
  bool born, said       /* the incarnation at its claim; a person has said that none was executed */
}
Process process[3];
byte claims;
#define me process[p]
#define own process[p].job


inline stops_waiting(p) { awaited = awaited & ~me.mine; executed = executed & ~me.mine; refused = refused & ~me.mine }
inline leaves(p) {
  stops_waiting(p); looked[p] = 0;
  me.at = OUTSIDE; me.mine = 0; me.wait = 0; me.born = false; me.said = false
}

/* Whatever a process does that can record nothing has no effect, but for a request it has yet to send. */
inline is_cut_off(p) { if :: isIsolated && me.at != ARMED -> leaves(p) :: else fi }

inline claims_account(c) {
  acts(c, claim);
  for (i : 0 .. 3) { if :: i != c -> acts(i, lose) :: else fi }
  for (i : 0 .. 2) { if :: i != c -> is_cut_off(i) :: else fi }
  i = 0
}

/* Whose the newest epoch was makes no difference when the process is gone. */
inline gives_up(p) { if :: store.holder[own] == p -> store.holder[own] = NOBODY :: else fi; leaves(p) }

inline suspects(r) {
  store.begun[r] = incarnation; store.recorded[r] = OPEN; store.ended[r] = false;
  store.requests[r] = store.requests[r] | LOST_REQUESTS; age[3] = 0
}

#define isNext (p != 1 || process[0].at != OUTSIDE) /* the two of a run are alike: the first is used first */
#define records(what, value) isFenced -> store.recorded[own] = value; keeps(what); acts(p, what)
#define signs me.mine = 1 << signings; age[signings] = 0; signings++
#define sends flying = flying | me.mine; awaited = awaited | me.mine; acts(p, send)
#define intends store.requests[own] = store.requests[own] | me.mine; me.wait = me.wait | me.mine; me.said = false

proctype works(byte p) {
  byte i;
end:
  do
  :: d_step { me.at == OUTSIDE && claims < CLAIMS && mayBegin(own) && mayTake(own) && isNext ->
      claims++; store.account = own; store.ended[own] = false; store.holder[own] = p;
      me.born = incarnation; claims_account(p);
      me.wait = known; me.said = isSaid(0) && isSaid(1);
      me.at = (!isBegun(own) -> BEGINS : (isDone -> KNOWN : (me.wait -> LOOKS : READY))) }
  :: d_step { me.at == BEGINS && isFenced && isDone -> store.begun[own] = incarnation; me.at = KNOWN }
  :: d_step { me.at == BEGINS && !isDone && isFenced ->
      suspects(own); keeps(suspect); acts(p, suspect); me.wait = known; me.said = false; me.at = LOOKS }
  :: d_step { me.at == LOOKS && isFound -> looked[p] = 0; me.at = FOUND }
  /* The first look may be made for another order, while this one still waits for a response. */
  :: d_step { (me.at == LOOKS || me.at == WAITS) && !isFound && looked[p] == 0 && isFirst -> looked[p] = 1 }
  :: d_step { me.at == LOOKS && !isFound && isLast && mayResend -> looked[p] = 0; me.at = READY }
  :: d_step { me.at == LOOKS -> looked[p] = 0; me.at = DOUBTFUL } /* unreadable lists, or `ask` */
#ifdef SAID_IS_PROOF
  :: d_step { me.at == LOOKS && me.said -> looked[p] = 0; me.at = READY }
#endif
#ifdef LEASE_IS_FENCE
  :: d_step { me.at != OUTSIDE && hasLease[p] != isCurrent -> hasLease[p] = isCurrent }
#endif
#ifdef ANNOUNCE_AFTER_SEND
  :: d_step { me.at == READY && signings < REQUESTS -> signs; sends; me.at = ARMED }
  :: d_step { me.at == ARMED && records(intend, OPEN); intends; me.at = WAITS }
#else
  :: d_step { me.at == READY && signings < REQUESTS && records(intend, OPEN); signs; intends; me.at = ARMED }
  :: d_step { me.at == ARMED -> sends; if :: isCurrent || !isIsolated -> me.at = WAITS :: else -> leaves(p) fi }
#endif
  :: d_step { me.at == WAITS && (executed & me.mine) -> stops_waiting(p); looked[p] = 0; me.at = FOUND }
  :: d_step { me.at == WAITS && (refused & me.mine) -> stops_waiting(p); looked[p] = 0; me.at = REFUSED }
  :: d_step { me.at == WAITS -> stops_waiting(p); me.at = LOOKS } /* no response */
  :: d_step { (me.at == FOUND || me.at == KNOWN) && records(done, DONE); store.requests[own] = 0; me.at = ENDS }
  :: d_step { me.at == REFUSED && records(fail, FAILED); store.requests[own] = 0; me.at = ENDS }
  :: d_step { me.at == DOUBTFUL && records(doubt, DOUBT); me.at = ENDS }
  :: d_step { me.at == ENDS && isFenced ->
      keeps(end); acts(p, end); store.ended[own] = true; store.account = NOBODY; gives_up(p) }
  :: d_step { me.at != OUTSIDE -> acts(p, exit); gives_up(p) } /* killed, or refused by the store */
  od
}

/* ---- A person, who may be wrong that an order does not exist: lists lag ---- */
#define isAsked(r) \
  (mayTake(r) && (store.recorded[r] == OPEN || store.recorded[r] == DOUBT || store.recorded[r] == ABANDONED))
#define resolves(r, what, value) store.recorded[r] = value; acts(PERSON, what); acts(PERSON, exit)
#define person_asked_by(r) \
  :: d_step { isAsked(r) && !isTaken(r) && isDone -> takes(r); store.begun[r] = incarnation; acts(PERSON, exit) } \
  :: d_step { isAsked(r) && !isTaken(r) && !isDone -> takes(r); suspects(r); resolves(r, suspect, OPEN); keeps(suspect) } \
  :: d_step { isAsked(r) && isTaken(r) && executions > 0 -> \
      takes(r); resolves(r, done, DONE); store.requests[r] = 0; keeps(done) } \
  :: d_step { isAsked(r) && isTaken(r) && maySayAbsent(r) -> \
      takes(r); resolves(r, absent, ABSENT); if :: isSaid(0) && isSaid(1) -> keeps(absent) :: else fi } \
  :: d_step { isAsked(r) && isTaken(r) && store.recorded[r] != ABANDONED -> \
      takes(r); resolves(r, abandon, ABANDONED); keeps(abandon) }

active proctype person() {
  byte i;
end:
  do
  person_asked_by(0)
  person_asked_by(1)
  od
}

/* ---- A standby stops to follow, and is promoted later without what was kept since then ---- */
#define differs(r) (standby.recorded[r] != store.recorded[r] || standby.requests[r] != store.requests[r])

active proctype failover() {
  byte i;
  bool forgets;
  d_step { copy(standby, store) };
  d_step {
    forgets = (differs(0) || differs(1)) && standby.recorded[0] != DONE && standby.recorded[1] != DONE;
    copy(store, standby); copy(standby, nothing); incarnation = true;
    for (i : 0 .. 3) { acts(i, lose) }
    is_cut_off(0); is_cut_off(1); is_cut_off(2); i = 0;
    if :: forgets -> forgets = false; keeps(forget) :: else fi
  }
}

/* When nothing more can happen, the order's outcome is known, unless the model ran out of processes. */
init {
  process[2].job = 1;
  atomic { run works(0); run works(1); run works(2) };
  timeout ->
  assert(claims == CLAIMS || signings == REQUESTS || isDone || (!isOpen(0) && !isOpen(1)) ||
    order == ABSENT || order == ABANDONED || order == ABANDONED_X)
}
