/* The conditions of never-twice.pml that a policy or a planted defect (`-D`) changes. */

/* Whether a line is appended: by the epoch and the incarnation of the claim, in the statement that appends it. */
#define isCurrent (store.holder[own] == p && incarnation == me.born)
#if defined(NO_EPOCH)
#define isFenced (incarnation == me.born)
#elif defined(NO_INCARNATION)
#define isFenced (store.holder[own] == p)
#elif defined(LEASE_IS_FENCE)
bool hasLease[3]; /* by its last look at the clock */
#define isFenced hasLease[p]
#else
#define isFenced isCurrent
#define isIsolated true /* a process that lost its claim records nothing */
#endif
#ifndef isIsolated
#define isIsolated false
#endif

/* Whether an order that the lists do not show may be sent again. */
#if defined(ASK) || defined(ONCE)
#define mayResend me.said
#else
#define mayResend true
#endif

/* Whether a look finds the order: no list shows a sub-account. */
#ifdef ONCE
#define isFound false
#else
#define isFound isListed
#endif

/* Whether the clock says that no request can be executed any more, or be executed and not shown. */
#ifdef OWN_CLOCK
#define AHEAD (FENCE - VALID)
#else
#define AHEAD ERROR
#endif
#ifdef NO_FENCE
#define isProof true
#else
#define isProof isPast(me.wait)
#endif

/* Whether a look may be the first, and the last, of those that prove the absence. */
#ifdef ANY_FIRST_LOOK
#define isFirst true
#else
#define isFirst isProof
#endif
#ifdef ONE_LOOK
#define isLast (looked[p] > 0 && isProof)
#else
#define isLast (looked[p] > LAG && isProof)
#endif

/* The requests that a process knows: by its journal, and by the ledger. */
#ifdef LEDGER_UNREAD
#define known store.requests[own]
#else
#define known (store.requests[0] | store.requests[1])
#endif

/* Whether a run has a line of this incarnation of the store. */
#ifdef FORGOTTEN_UNNOTICED
#define isBegun(r) true
#else
#define isBegun(r) (store.begun[r] == incarnation)
#endif

/* A person's line, too, comes after the suspicion of what the store forgot. */
#ifdef RESOLVE_BEGINS
#define isTaken(r) true
#define takes(r) store.begun[r] = incarnation; store.holder[r] = NOBODY; claims_account(PERSON)
#else
#define isTaken(r) isBegun(r)
#define takes(r) store.holder[r] = NOBODY; claims_account(PERSON)
#endif

/* Whether `resolve` accepts that the order does not exist; where no list shows it, the person is right. */
#ifdef ONCE
#define maySayAbsent(r) (executions == 0 && isPast(store.requests[r]))
#else
#define maySayAbsent(r) (!isListed && isPast(store.requests[r]))
#endif
