// How long does Porcupine take, and how much memory, for the history in this file?
//
// The program reads each file named on the command line, checks it with Porcupine and prints one line of JSON per file:
//
//	{"file","model","operations","verdict","load_seconds","check_seconds","peak_rss_mib"}
//
// It is written to show Porcupine at its best: the values of a history are numbered while it is loaded, states are small
// and need no pointer chasing, every model has the Hash that newer Porcupines accept, nothing is kept for a drawing, and
// check_seconds begins only when the history is in memory. peak_rss_mib belongs to the process, so name one file per
// process when the memory of one check is wanted.
//
// Exit status: 0 when every file got an answer or ran out of time, 2 for bad usage or a file that cannot be read.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/anishathalye/porcupine"
)

type report struct {
	File         string  `json:"file"`
	Model        string  `json:"model"`
	Operations   int     `json:"operations"`
	Verdict      string  `json:"verdict"`
	LoadSeconds  float64 `json:"load_seconds"`
	CheckSeconds float64 `json:"check_seconds"`
	PeakRSSMiB   float64 `json:"peak_rss_mib"`
}

var verdicts = map[porcupine.CheckResult]string{
	porcupine.Ok:      "linearizable",
	porcupine.Illegal: "violation",
	porcupine.Unknown: "unknown",
}

func main() {
	modelName := flag.String("model", "register", "register, kv, set, queue or stack")
	noPartition := flag.Bool("no-partition", false, "check all keys together")
	timeout := flag.Float64("timeout", 0, "seconds for each check; 0 means no limit")
	format := flag.String("format", "jsonl", "jsonl (linpoint's own), jepsen (a log) or kv (Porcupine's key-value logs)")
	flag.Parse()
	if flag.NArg() == 0 {
		fail(fmt.Errorf("name at least one history file"))
	}
	lines := json.NewEncoder(os.Stdout)
	for _, file := range flag.Args() {
		answer, err := check(file, *format, *modelName, !*noPartition, time.Duration(*timeout*float64(time.Second)))
		if err != nil {
			fail(err)
		}
		if err := lines.Encode(answer); err != nil {
			fail(err)
		}
	}
}

func check(file, format, modelName string, partitioned bool, timeout time.Duration) (report, error) {
	start := time.Now()
	recorded, err := load(file, format)
	if err != nil {
		return report{}, fmt.Errorf("%s: %w", file, err)
	}
	subject, err := newSubject(modelName, partitioned)
	if err != nil {
		return report{}, err
	}
	history, err := subject.encodeAll(recorded)
	if err != nil {
		return report{}, fmt.Errorf("%s: %w", file, err)
	}
	loaded := time.Now()
	result := porcupine.CheckOperationsTimeout(subject.model, history, timeout)
	done := time.Now()
	return report{
		File: file, Model: modelName, Operations: len(history), Verdict: verdicts[result],
		LoadSeconds: loaded.Sub(start).Seconds(), CheckSeconds: done.Sub(loaded).Seconds(), PeakRSSMiB: peakMiB(),
	}, nil
}

// peakMiB is the largest resident memory this process ever had. Linux lets a new program inherit the getrusage peak of
// whoever started it, so the figure of /proc, which begins anew with the program, is taken where there is one.
func peakMiB() float64 {
	if status, err := os.Open("/proc/self/status"); err == nil {
		defer status.Close()
		for scanner := bufio.NewScanner(status); scanner.Scan(); {
			if fields := strings.Fields(scanner.Text()); len(fields) > 1 && fields[0] == "VmHWM:" {
				if kib, err := strconv.ParseFloat(fields[1], 64); err == nil {
					return kib / 1024
				}
			}
		}
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "porcupine peer:", err)
	os.Exit(2)
}
