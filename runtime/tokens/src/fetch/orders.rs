//! Tests of the table of questions: as it is, and under a scheduler that tries all orders in which its
//! threads can go on.

use core::cell::{Cell, RefCell};
use core::mem::replace;
use core::task::{Context, Poll, Waker};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, poll_fn};
use shuttle::scheduler::{DfsScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};

use super::flights::{Flights, Full};

/// Asks with a question that is never answered, and polls it once.
fn asked(flights: &Flights<u8, ()>, key: u8) -> Option<BoxFuture<'_, Result<Option<()>, Full>>> {
    let mut asked = flights.ask(key, core::future::pending).boxed();
    let polled = asked.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    polled.is_pending().then_some(asked)
}

#[test]
fn questions_are_limited() {
    let flights = Flights::new(2);
    let waiting = [asked(&flights, 1), asked(&flights, 2), asked(&flights, 2)];
    assert!(waiting.iter().all(Option::is_some));
    assert!(asked(&flights, 3).is_none());
    drop(waiting);
    assert!(asked(&flights, 3).is_some());
}

/// Polls a future until it is ready.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = core::pin::pin!(future);
    loop {
        if let Some(ready) = future.as_mut().now_or_never() {
            return ready;
        }
    }
}

#[test]
fn a_question_that_panics_is_over_for_all() {
    let flights = Flights::<u8, ()>::new(1);
    let begun = AtomicUsize::new(0);
    let ask = || {
        flights.ask(0, || {
            begun.fetch_add(1, Ordering::Relaxed);
            let mut is_polled = false;
            poll_fn(move |cx| {
                assert!(!replace(&mut is_polled, true), "as intended");
                cx.waker().wake_by_ref();
                Poll::Pending
            })
        })
    };
    let both = futures_util::future::join(ask(), ask());
    assert_eq!(block_on(both), (Ok(None), Ok(None)));
    assert_eq!(begun.load(Ordering::Relaxed), 1);
    assert!(!flights.has(&0));
}

/// Two threads leave one question at once, many times. The scheduler below knows only the orders of
/// locks.
#[test]
fn of_many_pairs_that_leave_at_once_none_keeps_its_place() {
    let flights = Flights::<u8, ()>::new(1);
    for _ in 0..20_000 {
        let pair = [asked(&flights, 0), asked(&flights, 0)];
        std::thread::scope(|scope| {
            for one in pair {
                scope.spawn(move || drop(one));
            }
        });
        assert!(!flights.has(&0));
    }
}

/// The locks and the runtime of the scheduler.
mod runtime {
    pub(super) use std::sync::Arc;

    use futures_util::future::BoxFuture;
    pub(super) use shuttle::sync::{Mutex, MutexGuard};

    use super::{IS_THERE, TASKS};

    pub(super) struct Runtime;

    impl Runtime {
        pub(super) fn current() -> Option<Self> {
            IS_THERE.get().then_some(Self)
        }

        pub(super) fn spawn(self, task: BoxFuture<'static, ()>) {
            // Other threads may go on while it is spawned.
            let task = shuttle::future::spawn(task);
            TASKS.with_borrow_mut(|tasks| tasks.push(task));
        }
    }
}

#[path = "flights.rs"]
#[allow(clippy::duplicate_mod, dead_code, reason = "its locks are those of the scheduler")]
mod modelled;

// The threads of the scheduler are all in one thread of the system.
thread_local! {
    /// Whether there is a runtime.
    static IS_THERE: Cell<bool> = const { Cell::new(false) };
    /// The tasks of the runtime.
    static TASKS: RefCell<Vec<shuttle::future::JoinHandle<()>>> = const { RefCell::new(Vec::new()) };
}

/// More than any scene has.
const MAX_ORDERS: usize = 100_000;

/// What a request does with its question.
#[derive(Clone, Copy)]
enum Request {
    /// It goes away, after it has polled so often.
    Leaves(usize),
    Waits,
}

/// A question that is answered when it is polled for the second time. It counts the questions that are
/// neither answered nor dropped.
fn question(open: &Arc<AtomicUsize>) -> impl Future<Output = usize> + Send + use<> {
    struct Open(Arc<AtomicUsize>);

    impl Drop for Open {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    open.fetch_add(1, Ordering::Relaxed);
    let open = Open(Arc::clone(open));
    let mut is_answered = false;
    poll_fn(move |cx| {
        let _open = &open;
        if is_answered {
            return Poll::Ready(1);
        }
        is_answered = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Has requests with one token come at once, in the orders of a scheduler. Returns how many it has tried.
fn check(
    requests: &'static [Request],
    has_runtime: bool,
    orders: impl Scheduler + 'static,
) -> usize {
    IS_THERE.set(has_runtime);
    let run = move || {
        let flights = Arc::new(modelled::Flights::<u8, usize>::new(1));
        let open = Arc::new(AtomicUsize::new(0));
        let threads = requests.iter().map(|request| {
            let (flights, open) = (Arc::clone(&flights), Arc::clone(&open));
            shuttle::thread::spawn(move || {
                let mut asked = flights.ask(0, || question(&open)).boxed();
                match request {
                    Request::Leaves(polls) => {
                        let mut cx = Context::from_waker(Waker::noop());
                        let mut poll = || asked.as_mut().poll(&mut cx).is_ready();
                        let _ = (0..*polls).any(|_| poll());
                    }
                    Request::Waits => {
                        assert_eq!(shuttle::future::block_on(asked).unwrap(), Some(1));
                    }
                }
            })
        });
        for thread in Vec::from_iter(threads) {
            thread.join().unwrap();
        }
        for task in TASKS.take() {
            shuttle::future::block_on(task).unwrap();
        }
        assert!(!flights.has(&0), "a question is kept that nothing polls");
        assert_eq!(open.load(Ordering::Relaxed), 0, "a question is neither answered nor dropped");
    };
    Runner::new(orders, Config::default()).run(run)
}

#[test]
fn of_two_that_leave_in_any_order_one_ends_the_question() {
    let orders = DfsScheduler::new(Some(MAX_ORDERS), false);
    let tried = check(&[Request::Leaves(1), Request::Leaves(1)], false, orders);
    assert!((2..MAX_ORDERS).contains(&tried), "{tried}");
}

/// With a runtime, or with three requests, there are too many orders to try all.
#[test]
fn no_question_is_lost_in_random_orders() {
    use Request::{Leaves, Waits};

    const SCENES: [&[Request]; 5] = [
        &[Leaves(1), Leaves(1)],
        &[Leaves(1), Waits],
        &[Leaves(2), Waits],
        &[Leaves(1), Leaves(1), Leaves(1)],
        &[Leaves(2), Leaves(1), Waits],
    ];
    for scene in SCENES {
        for has_runtime in [false, true] {
            check(scene, has_runtime, RandomScheduler::new(1000));
        }
    }
}
