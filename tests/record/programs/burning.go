// As burning.c: functions whose shares of the processor's time are known, 50, 30, 15 and 5 %, by the thread's own clock.
package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"
)

const threadCPUTime = 3
const rounds = 34

var sink uint64

func ownNs() uint64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPUTime, uintptr(unsafe.Pointer(&now)), 0)
	return uint64(now.Nano())
}

//go:noinline
func half(ns uint64) {
	for until := ownNs() + ns; ownNs() < until; {
		for i := uint64(0); i < 20000; i++ {
			sink = sink*31 + i
		}
	}
}

//go:noinline
func third(ns uint64) {
	for until := ownNs() + ns; ownNs() < until; {
		for i := uint64(0); i < 20000; i++ {
			sink = sink*31 + i
		}
	}
}

//go:noinline
func little(ns uint64) {
	for until := ownNs() + ns; ownNs() < until; {
		for i := uint64(0); i < 20000; i++ {
			sink = sink*31 + i
		}
	}
}

//go:noinline
func tiny(ns uint64) {
	for until := ownNs() + ns; ownNs() < until; {
		for i := uint64(0); i < 20000; i++ {
			sink = sink*31 + i
		}
	}
}

//go:noinline
func inner(ns uint64) {
	half(ns / 100 * 50)
	third(ns / 100 * 30)
	sink++
}

//go:noinline
func outer(ns uint64) {
	for i := 0; i < rounds; i++ {
		inner(ns / rounds)
		little(ns / rounds / 100 * 15)
		tiny(ns / rounds / 100 * 5)
	}
	sink++
}

func main() {
	runtime.LockOSThread()
	milliseconds := 500
	if len(os.Args) > 1 {
		milliseconds, _ = strconv.Atoi(os.Args[1])
	}
	outer(uint64(milliseconds) * 1000000)
}
