// As burning.c: functions whose shares of the processor's time are known, 50, 30, 15 and 5 %, by the thread's own clock.
#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, now: *mut Timespec) -> i32;
}

const THREAD_CPUTIME: i32 = 3;
const ROUNDS: u64 = 34;

// What compilers of 2022 cannot see through.
#[inline(always)]
fn keep(value: u64) -> u64 {
    unsafe { std::ptr::read_volatile(&value) }
}

#[inline(always)]
fn own_ns() -> u64 {
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(THREAD_CPUTIME, &mut now) };
    now.seconds as u64 * 1_000_000_000 + now.nanoseconds as u64
}

macro_rules! burns {
    ($name:ident) => {
        #[inline(never)]
        fn $name(ns: u64) -> u64 {
            let until = own_ns() + ns;
            let mut sum = ns;
            while own_ns() < until {
                for i in 0..20000u64 {
                    sum = keep(sum.wrapping_mul(31) + i);
                }
            }
            sum
        }
    };
}

burns!(half);
burns!(third);
burns!(little);
burns!(tiny);

#[inline(never)]
fn inner(ns: u64) -> u64 {
    keep(half(ns / 100 * 50)) ^ keep(third(ns / 100 * 30))
}

#[inline(never)]
fn outer(ns: u64) -> u64 {
    let mut sum = 0;
    for _ in 0..ROUNDS {
        sum ^= keep(inner(ns / ROUNDS)) ^ keep(little(ns / ROUNDS / 100 * 15)) ^ keep(tiny(ns / ROUNDS / 100 * 5));
    }
    sum
}

fn main() {
    let milliseconds: u64 = std::env::args().nth(1).map_or(500, |text| text.parse().unwrap());
    keep(outer(milliseconds * 1_000_000));
}
