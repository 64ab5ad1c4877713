/* The protocol of handoff, the place where the application's threads and the reactor meet, small enough to be searched
 * whole: an application polls, a caller makes a call with a deadline, a third thread interrupts a poll, a fourth frees the
 * memory that the reactor waits for, and the consumer may close at any moment. The switches POLL, CALL, DEADLINE, WAKEUP,
 * SPACE, CLOSE say who is there.
 *
 * Each transition names the code it stands for:  T<n> <what>: <file> | <its text there>. run.py refuses a text that is not
 * in the file, and makes the table of docs/reliability.md. With one of these switches a mechanism is broken, and the search
 * must find that; run.py does that, too:
 *   SIGNAL_FIRST NO_VERSION TOKEN_LATE STAYS_IN_TABLE FORGETS_RESULT NO_SECOND_LOOK SUBMIT_UNSEEN KEEPS_WAKEUP
 *
 * What is done under a lock is one step, written atomic: the locks themselves and their order are explored with the code
 * (tests/interleavings).
 */
#ifdef POLL
#define PIECES 2
#else
#define PIECES 0
#endif

/* Guarded by the outbox. */
byte version, data, taken;
bit news, wakeup_pending, failure;
bit poll_waits, poll_resumed;     /* the waiter of a poll: registered, resumed */
bit call_waits, call_resumed;
bit in_table;                     /* the call can be found by its token */
byte results;                     /* what the call was given */
bit gave_up;

/* Guarded by the inbox. */
bit asked, command, cancel, space_awaited, drained;

bit bell;                         /* of the reactor */

/* Atomics of the gauge. */
#ifdef SPACE
byte bytes = 1;
byte known_bytes = 1;
#else
byte bytes = 0;
byte known_bytes = 0;
#endif
bit gauge_awaits;

bit published, submitted, interrupted, woken, freed;

/* T1 the reactor is signalled: src/handoff/wake_line.hpp | if (waker_) waker_->signal(); */
#define ring bell = 1

/* T2 a turn is asked for once: src/handoff/inbox.hpp | bool ask_for_turn() { return !std::exchange(turn_asked_, true); } */
#define ask(signal) signal = !asked; asked = 1

/* T3 a version is made, and those who wait for it resume: src/handoff/versioned_gate.cpp | ++version_; */
inline advance_for_poll() {
    version++;
    if :: poll_waits -> poll_waits = 0; poll_resumed = 1 :: else fi
}
/* T4 a call ends: src/handoff/handoff_body.hpp | entry.call->outcome_.emplace(std::move(outcome)); */
inline end_call() {
    results++;
    version++;
    if :: poll_waits -> poll_waits = 0; poll_resumed = 1 :: else fi;
    if :: call_waits -> call_waits = 0; call_resumed = 1 :: else fi
}

active proctype reactor() {
    bit to_complete, signal, awaits;
    byte seen, delivered;
end_rest:
    if
    :: atomic { bell -> bell = 0 }
    :: delivered < PIECES
    :: failure -> goto stopped
    fi;
    /* T5 collect: src/handoff/inbox.hpp | turn_asked_ = false; */
    atomic {
#ifndef TOKEN_LATE
        asked = 0;
#endif
        if :: command -> command = 0; to_complete = 1 :: else fi;
        cancel = 0; drained = 0;
        seen = bytes
    };
#ifdef TOKEN_LATE
    asked = 0;
#endif
    known_bytes = seen;
    awaits = (known_bytes > 0);
    /* T6 publish: src/handoff/inbox.hpp | return missed && ask_for_turn(); */
    atomic {
        signal = 0;
        space_awaited = awaits;
        if :: awaits && drained -> ask(signal) :: else fi
    };
    if :: signal -> ring :: else fi;
#ifdef SPACE
    /* T7 space is awaited: src/handoff/memory_gauge.hpp | awaited_below_.store(below); */
    gauge_awaits = awaits;
#ifndef NO_SECOND_LOOK
    /* T8 and looked for again: src/handoff/memory_gauge.hpp | if (below == nothing || bytes_.load() >= below) return; */
    if
    :: awaits && bytes < seen ->
        atomic { signal = gauge_awaits; gauge_awaits = 0 };
        if :: signal -> ring :: else fi
    :: else
    fi;
#endif
#endif
#ifdef POLL
    if
    :: delivered < PIECES ->
        delivered++;
#ifdef SIGNAL_FIRST
        atomic { advance_for_poll() };
#endif
        /* T9 deliver: src/handoff/handoff_body.hpp | fetches_.push(std::move(data)); */
        atomic {
            data++; published = 1;
#ifndef SIGNAL_FIRST
            news = 1
#endif
        }
    :: else
    fi;
#endif
#ifdef CALL
    if
    :: to_complete ->
        to_complete = 0;
        /* T10 complete: src/handoff/handoff_body.hpp | end(operations_.take(finished.token), std::move(finished.outcome)); */
        atomic {
            if
            :: in_table ->
#ifndef STAYS_IN_TABLE
                in_table = 0;
#endif
                end_call()
            :: else
            fi
        }
    :: else
    fi;
#endif
    /* T11 wake the application: src/handoff/handoff_body.hpp | if (std::exchange(news_, false)) visible_.advance(); */
    atomic { if :: news -> news = 0; advance_for_poll() :: else fi };
    goto end_rest;
stopped:
    skip
}

#ifdef POLL
active proctype application() {
    byte seen;
    bit found, signal;
    do
    :: taken == PIECES || failure -> break
    :: else ->
        /* T12 look: src/handoff/handoff_body.hpp | offer.version = visible_.version(); */
        atomic {
            seen = version;
            found = 0; signal = 0;
            if
            :: wakeup_pending ->
#ifndef KEEPS_WAKEUP
                /* T13 a wake-up ends one poll: src/handoff/handoff_body.hpp | if (std::exchange(wakeup_pending_, false)) { */
                wakeup_pending = 0;
#endif
                assert(!woken);
                woken = 1; found = 1
            :: else ->
                if
                :: failure -> found = 1
                :: !failure && data > 0 ->
                    /* T14 data is taken, and its end told: src/handoff/handoff_body.hpp | signal = inbox_.hand_back(met, drained); */
                    data--; taken++; found = 1;
                    drained = 1;
                    if :: space_awaited -> ask(signal) :: else fi
                :: else
                fi
            fi
        };
        if :: signal -> ring :: else fi;
        if
        :: found
        :: else ->
            /* T15 park, on the version that was looked at: src/handoff/versioned_gate.cpp | if (seen != version_) return false; */
            atomic {
                if
#ifdef NO_VERSION
                :: true -> poll_resumed = 0; poll_waits = 1; found = 0
#else
                :: seen == version -> poll_resumed = 0; poll_waits = 1
                :: else -> found = 1
#endif
                fi
            };
            /* T16 wait: src/handoff/handoff_body.hpp | where_.threads_.wait_until(held, deadline); */
            if :: found :: !found -> (poll_resumed) fi
        fi
    od
}
#endif

#ifdef CALL
active proctype caller() {
    bit signal, late;
    /* T17 submit: src/handoff/handoff_body.hpp | call.outcome_.emplace(tl::unexpected(*failure_)); */
    atomic {
        submitted = 1;
        if
#ifndef SUBMIT_UNSEEN
        :: failure -> results++
#endif
        :: else ->
            in_table = 1;
            /* T18 the command: src/handoff/inbox.hpp | return {superseded, ask_for_turn()}; */
            command = 1; ask(signal)
        fi
    };
    if :: signal -> ring :: else fi;
    /* T19 park until it ends: src/handoff/handoff_body.hpp | return !who.only->outcome_ && visible_.try_register(who, visible_.version()); */
    atomic { if :: results == 0 -> call_resumed = 0; call_waits = 1 :: else -> call_resumed = 1 fi };
    if
    :: call_resumed
#ifdef DEADLINE
    /* T20 the deadline: src/handoff/handoff_body.hpp | if (Primitives::now() >= deadline) return false; */
    :: atomic { !call_resumed -> late = 1; call_waits = 0 }
#endif
    fi;
    if
    :: late ->
        /* T21 give up, unless it has ended: src/handoff/handoff_body.hpp | if (call.outcome_) return false; */
        atomic {
            signal = 0;
            if
#ifndef FORGETS_RESULT
            :: results > 0
#endif
            :: else ->
                gave_up = 1; in_table = 0;
                /* T22 and tell the reactor: src/handoff/handoff_body.hpp | if (!operations_.take(call.token_).call) return; */
                cancel = 1; ask(signal)
            fi
        };
        if :: signal -> ring :: else fi
    :: else
    fi;
    assert(results + gave_up == 1)
}
#endif

#ifdef WAKEUP
active proctype interrupter() {
    /* T23 wakeup: src/handoff/handoff_body.hpp | wakeup_pending_ = true; */
    atomic { wakeup_pending = 1; interrupted = 1; advance_for_poll() }
}
#endif

#ifdef SPACE
active proctype freer() {
    bit signal;
    /* T24 a buffer is freed: src/handoff/memory_gauge.hpp | bytes_.fetch_sub(bytes); */
    atomic { bytes--; freed = 1 };
    /* T25 and the reactor told, if it waits: src/handoff/memory_gauge.hpp | if (awaited_below_.compare_exchange_strong(below, nothing)) line_->signal(); */
    if
    :: gauge_awaits ->
        atomic { signal = gauge_awaits; gauge_awaits = 0 };
        if :: signal -> ring :: else fi
    :: else
    fi
}
#endif

#ifdef CLOSE
active proctype closer() {
    /* T26 everything fails: src/handoff/handoff_body.hpp | if (!failure_) failure_ = std::move(reason); */
    atomic {
        failure = 1;
        if :: in_table -> in_table = 0; end_call() :: else fi;
        news = 0;
        advance_for_poll()
    }
}
#endif

/* Never two results; a call that has one was not given up as well. */
ltl one_result { [] (results <= 1 && !(results == 1 && gave_up)) }
/* What is published is taken, or the consumer has closed. */
ltl data_arrives { [] (published -> <> (taken == PIECES || failure)) }
/* A call ends. */
ltl calls_end { [] (submitted -> <> (results == 1 || gave_up)) }
/* A turn that was asked for is made. */
ltl turns_come { [] (asked -> <> (!asked || failure)) }
/* The reactor hears of the space it waits for. */
ltl space_is_heard_of { [] (freed -> <> (known_bytes == 0 || failure)) }
/* The reactor comes to rest. */
ltl rests { <> [] (!bell || failure) }
