// What does a real concurrent set do when real threads use it?
//
// The program lets -threads operating-system threads call add, remove and contains on one shared set, -ops times each,
// with keys drawn evenly from 0 .. keys-1, and writes the history in linpoint's own JSON lines. It records the setting of
// Table 1 of Horn and Kroening, "Faster linearizability checking via P-compositionality" (2015): 4 threads, 70,000
// operations each, 24 keys.
//
// Time is one atomic counter, drawn just before the call and just after the return. Two numbers are never equal, their
// order is the real order of the draws, and an operation's interval holds the whole of its work, so a correct set always
// gives a linearizable history. A run is real: the same seed gives the same calls, but never the same interleaving.
//
// Usage: recorder -set striped|syncmap|faulty [-threads 4] [-ops 70000] [-keys 24] [-seed 1] FILE
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
)

// A record is one finished operation.
type record struct {
	process   int
	f         string
	key       int
	result    bool
	call, ret int64
}

func main() {
	name := flag.String("set", "striped", "which set: striped, syncmap or faulty")
	threads := flag.Int("threads", 4, "threads")
	ops := flag.Int("ops", 70000, "operations of each thread")
	keys := flag.Int("keys", 24, "keys 0 .. keys-1")
	seed := flag.Int64("seed", 1, "seed of the calls (the interleaving is the machine's)")
	flag.Parse()
	create, known := sets[*name]
	if !known || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	history := run(create(), *threads, *ops, *keys, *seed)
	if err := save(flag.Arg(0), history); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(2)
	}
}

// run starts all threads at once and gives the history in the order of the calls.
func run(subject set, threads, ops, keys int, seed int64) []record {
	runtime.GOMAXPROCS(threads)
	var clock atomic.Int64
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	logs := make([][]record, threads)
	for thread := range logs {
		ready.Add(1)
		done.Add(1)
		go func(thread int) {
			defer done.Done()
			runtime.LockOSThread()
			rng := rand.New(rand.NewSource(seed*1000 + int64(thread)))
			log := make([]record, 0, ops)
			ready.Done()
			<-start
			for len(log) < ops {
				log = append(log, operate(subject, thread, rng, keys, &clock))
			}
			logs[thread] = log
		}(thread)
	}
	ready.Wait()
	close(start)
	done.Wait()
	var history []record
	for _, log := range logs {
		history = append(history, log...)
	}
	sort.Slice(history, func(i, j int) bool { return history[i].call < history[j].call })
	return history
}

func operate(subject set, thread int, rng *rand.Rand, keys int, clock *atomic.Int64) record {
	die, op := rng.Float64(), record{process: thread, key: rng.Intn(keys)}
	switch {
	case die < 0.3:
		op.f = "add"
		op.call = clock.Add(1)
		op.result = subject.add(op.key)
	case die < 0.6:
		op.f = "remove"
		op.call = clock.Add(1)
		op.result = subject.remove(op.key)
	default:
		op.f = "contains"
		op.call = clock.Add(1)
		op.result = subject.contains(op.key)
	}
	op.ret = clock.Add(1)
	return op
}

func save(file string, history []record) error {
	handle, err := os.Create(file)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(handle)
	for _, op := range history {
		fmt.Fprintf(out, "{\"process\":%d,\"f\":%q,\"value\":%d,\"result\":%t,\"call\":%d,\"return\":%d}\n",
			op.process, op.f, op.key, op.result, op.call, op.ret)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return handle.Close()
}
