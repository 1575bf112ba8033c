package main

// Which sets are recorded? Two that are linearizable and one that is not.

import (
	"runtime"
	"sync"
)

type set interface {
	add(key int) bool      // true when the key was not there
	remove(key int) bool   // true when the key was there
	contains(key int) bool // true when the key is there
}

var sets = map[string]func() set{
	"striped": func() set { return newStriped() },
	"syncmap": func() set { return &syncMap{} },
	"faulty":  func() set { return &faulty{} },
}

// striped guards every stripe of keys with a lock of its own.
type striped struct{ stripes [8]stripe }

type stripe struct {
	lock   sync.Mutex
	inside map[int]bool
}

func newStriped() *striped {
	s := &striped{}
	for i := range s.stripes {
		s.stripes[i].inside = map[int]bool{}
	}
	return s
}

func (s *striped) locked(key int) *stripe {
	stripe := &s.stripes[key%len(s.stripes)]
	stripe.lock.Lock()
	return stripe
}

func (s *striped) add(key int) bool {
	stripe := s.locked(key)
	defer stripe.lock.Unlock()
	was := stripe.inside[key]
	stripe.inside[key] = true
	return !was
}

func (s *striped) remove(key int) bool {
	stripe := s.locked(key)
	defer stripe.lock.Unlock()
	was := stripe.inside[key]
	delete(stripe.inside, key)
	return was
}

func (s *striped) contains(key int) bool {
	stripe := s.locked(key)
	defer stripe.lock.Unlock()
	return stripe.inside[key]
}

// syncMap uses the atomic operations of the standard library's concurrent map, which reads without a lock.
type syncMap struct{ inside sync.Map }

func (s *syncMap) add(key int) bool {
	_, was := s.inside.LoadOrStore(key, true)
	return !was
}

func (s *syncMap) remove(key int) bool {
	_, was := s.inside.LoadAndDelete(key)
	return was
}

func (s *syncMap) contains(key int) bool {
	_, is := s.inside.Load(key)
	return is
}

// faulty looks first and acts afterwards. Every single step is safe, the two together are not: clients 0 and 1 both
// look for key 5, both miss it, both store it, and both are told that they added it. The thread gives way between the
// steps, as any thread may at any moment, because a machine with few cores would show it rarely otherwise.
type faulty struct{ inside sync.Map }

func (s *faulty) look(key int) bool {
	_, is := s.inside.Load(key)
	return is
}

func (s *faulty) add(key int) bool {
	if s.look(key) {
		return false
	}
	runtime.Gosched()
	s.inside.Store(key, true)
	return true
}

func (s *faulty) remove(key int) bool {
	if !s.look(key) {
		return false
	}
	runtime.Gosched()
	s.inside.Delete(key)
	return true
}

func (s *faulty) contains(key int) bool { return s.look(key) }
