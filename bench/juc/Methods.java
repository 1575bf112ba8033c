import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TransferQueue;
import java.util.function.Supplier;

/**
 * Which methods may a harness call on which class? The ten classes of Table 1 of Ozkan, Majumdar and Niksic (PPoPP 2019), each with the
 * methods that return at once, so that no harness hangs. Bulk methods (addAll, removeAll, clear, size, toString ...) are among
 * them: some are atomic and some are not, which is what the recordings are to show.
 */
final class Methods {
    /** Runs a method on an object. */
    interface Body<T> {
        Object call(T object, Object[] arguments);
    }

    /** Runs a method that returns nothing. */
    interface Command<T> {
        void call(T object, Object[] arguments);
    }

    /** A method. A letter of its shape is a parameter: v a value or key, l a list of values, p a list of (key, value) pairs. */
    record Method<T>(String name, String shape, Body<T> body) {
        @SuppressWarnings("unchecked")
        Object call(Object object, Object[] arguments) {
            return body.call((T) object, arguments);
        }
    }

    /** A class: how its objects are made, and what may be called. */
    record Target(String name, Supplier<Object> fresh, List<Method<?>> methods) {}

    static final int CAPACITY = 4;

    static final List<Target> TARGETS = List.of(
        target("ArrayBlockingQueue", () -> new ArrayBlockingQueue<Integer>(CAPACITY), queue(), blocking()),
        target("ConcurrentHashMap", ConcurrentHashMap<Integer, Integer>::new, map()),
        target("ConcurrentLinkedDeque", ConcurrentLinkedDeque<Integer>::new, queue(), deque()),
        target("ConcurrentLinkedQueue", ConcurrentLinkedQueue<Integer>::new, queue()),
        target("ConcurrentSkipListMap", ConcurrentSkipListMap<Integer, Integer>::new, map(), navigableMap()),
        target("ConcurrentSkipListSet", ConcurrentSkipListSet<Integer>::new, collection(), navigableSet()),
        target("LinkedBlockingDeque", LinkedBlockingDeque<Integer>::new, queue(), deque(), blocking(), unbounded()),
        target("LinkedBlockingQueue", LinkedBlockingQueue<Integer>::new, queue(), blocking(), unbounded()),
        target("LinkedTransferQueue", LinkedTransferQueue<Integer>::new, queue(), blocking(), unbounded(), transfer()),
        target("PriorityBlockingQueue", PriorityBlockingQueue<Integer>::new, queue(), blocking(), unbounded()));

    private Methods() {}

    @SafeVarargs
    private static Target target(String name, Supplier<Object> fresh, List<Method<?>>... groups) {
        List<Method<?>> all = new ArrayList<>();
        for (List<Method<?>> group : groups) {
            all.addAll(group);
        }
        return new Target(name, fresh, all);
    }

    private static <T> Method<T> of(String name, String shape, Body<T> body) {
        return new Method<>(name, shape, body);
    }

    private static <T> Method<T> silent(String name, String shape, Command<T> command) {
        return new Method<>(name, shape, (object, arguments) -> {
            command.call(object, arguments);
            return null;
        });
    }

    private static Integer value(Object argument) {
        return (Integer) argument;
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> values(Object argument) {
        return (List<Integer>) argument;
    }

    @SuppressWarnings("unchecked")
    private static Map<Integer, Integer> pairs(Object argument) {
        Map<Integer, Integer> map = new LinkedHashMap<>();
        for (List<Integer> pair : (List<List<Integer>>) argument) {
            map.put(pair.get(0), pair.get(1));
        }
        return map;
    }

    private static List<Method<?>> collection() {
        return List.of(
            Methods.<Collection<Integer>>of("add", "v", (c, a) -> c.add(value(a[0]))),
            Methods.<Collection<Integer>>of("addAll", "l", (c, a) -> c.addAll(values(a[0]))),
            Methods.<Collection<Integer>>silent("clear", "", (c, a) -> c.clear()),
            Methods.<Collection<Integer>>of("contains", "v", (c, a) -> c.contains(a[0])),
            Methods.<Collection<Integer>>of("containsAll", "l", (c, a) -> c.containsAll(values(a[0]))),
            Methods.<Collection<Integer>>of("isEmpty", "", (c, a) -> c.isEmpty()),
            Methods.<Collection<Integer>>of("remove", "v", (c, a) -> c.remove(a[0])),
            Methods.<Collection<Integer>>of("removeAll", "l", (c, a) -> c.removeAll(values(a[0]))),
            Methods.<Collection<Integer>>of("retainAll", "l", (c, a) -> c.retainAll(values(a[0]))),
            Methods.<Collection<Integer>>of("size", "", (c, a) -> c.size()),
            Methods.<Collection<Integer>>of("toArray", "", (c, a) -> c.toArray()),
            Methods.<Collection<Integer>>of("toString", "", (c, a) -> c.toString()));
    }

    private static List<Method<?>> queue() {
        List<Method<?>> all = new ArrayList<>(collection());
        all.addAll(List.of(
            Methods.<Queue<Integer>>of("element", "", (q, a) -> q.element()),
            Methods.<Queue<Integer>>of("offer", "v", (q, a) -> q.offer(value(a[0]))),
            Methods.<Queue<Integer>>of("peek", "", (q, a) -> q.peek()),
            Methods.<Queue<Integer>>of("poll", "", (q, a) -> q.poll()),
            Methods.<Queue<Integer>>of("remove", "", (q, a) -> q.remove())));
        return all;
    }

    private static List<Method<?>> blocking() {
        return List.of(
            Methods.<BlockingQueue<Integer>>of("drainTo", "", (q, a) -> {
                List<Integer> drained = new ArrayList<>();
                q.drainTo(drained);
                return drained;
            }),
            Methods.<BlockingQueue<Integer>>of("remainingCapacity", "", (q, a) -> q.remainingCapacity()));
    }

    private static List<Method<?>> unbounded() {
        return List.of(Methods.<BlockingQueue<Integer>>silent("put", "v", (q, a) -> {
            try {
                q.put(value(a[0])); // there is always room
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        }));
    }

    private static List<Method<?>> transfer() {
        return List.of(
            Methods.<TransferQueue<Integer>>of("getWaitingConsumerCount", "", (q, a) -> q.getWaitingConsumerCount()),
            Methods.<TransferQueue<Integer>>of("hasWaitingConsumer", "", (q, a) -> q.hasWaitingConsumer()),
            Methods.<TransferQueue<Integer>>of("tryTransfer", "v", (q, a) -> q.tryTransfer(value(a[0]))));
    }

    private static List<Method<?>> deque() {
        return List.of(
            Methods.<Deque<Integer>>silent("addFirst", "v", (d, a) -> d.addFirst(value(a[0]))),
            Methods.<Deque<Integer>>silent("addLast", "v", (d, a) -> d.addLast(value(a[0]))),
            Methods.<Deque<Integer>>of("getFirst", "", (d, a) -> d.getFirst()),
            Methods.<Deque<Integer>>of("getLast", "", (d, a) -> d.getLast()),
            Methods.<Deque<Integer>>of("offerFirst", "v", (d, a) -> d.offerFirst(value(a[0]))),
            Methods.<Deque<Integer>>of("offerLast", "v", (d, a) -> d.offerLast(value(a[0]))),
            Methods.<Deque<Integer>>of("peekFirst", "", (d, a) -> d.peekFirst()),
            Methods.<Deque<Integer>>of("peekLast", "", (d, a) -> d.peekLast()),
            Methods.<Deque<Integer>>of("pollFirst", "", (d, a) -> d.pollFirst()),
            Methods.<Deque<Integer>>of("pollLast", "", (d, a) -> d.pollLast()),
            Methods.<Deque<Integer>>of("pop", "", (d, a) -> d.pop()),
            Methods.<Deque<Integer>>silent("push", "v", (d, a) -> d.push(value(a[0]))),
            Methods.<Deque<Integer>>of("removeFirst", "", (d, a) -> d.removeFirst()),
            Methods.<Deque<Integer>>of("removeFirstOccurrence", "v", (d, a) -> d.removeFirstOccurrence(a[0])),
            Methods.<Deque<Integer>>of("removeLast", "", (d, a) -> d.removeLast()),
            Methods.<Deque<Integer>>of("removeLastOccurrence", "v", (d, a) -> d.removeLastOccurrence(a[0])));
    }

    private static List<Method<?>> map() {
        return List.of(
            Methods.<ConcurrentMap<Integer, Integer>>silent("clear", "", (m, a) -> m.clear()),
            Methods.<ConcurrentMap<Integer, Integer>>of("containsKey", "v", (m, a) -> m.containsKey(a[0])),
            Methods.<ConcurrentMap<Integer, Integer>>of("containsValue", "v", (m, a) -> m.containsValue(a[0])),
            Methods.<ConcurrentMap<Integer, Integer>>of("get", "v", (m, a) -> m.get(a[0])),
            Methods.<ConcurrentMap<Integer, Integer>>of("getOrDefault", "vv", (m, a) -> m.getOrDefault(a[0], value(a[1]))),
            Methods.<ConcurrentMap<Integer, Integer>>of("isEmpty", "", (m, a) -> m.isEmpty()),
            Methods.<ConcurrentMap<Integer, Integer>>of("put", "vv", (m, a) -> m.put(value(a[0]), value(a[1]))),
            Methods.<ConcurrentMap<Integer, Integer>>silent("putAll", "p", (m, a) -> m.putAll(pairs(a[0]))),
            Methods.<ConcurrentMap<Integer, Integer>>of("putIfAbsent", "vv", (m, a) -> m.putIfAbsent(value(a[0]), value(a[1]))),
            Methods.<ConcurrentMap<Integer, Integer>>of("remove", "v", (m, a) -> m.remove(a[0])),
            Methods.<ConcurrentMap<Integer, Integer>>of("remove", "vv", (m, a) -> m.remove(a[0], a[1])),
            Methods.<ConcurrentMap<Integer, Integer>>of("replace", "vv", (m, a) -> m.replace(value(a[0]), value(a[1]))),
            Methods.<ConcurrentMap<Integer, Integer>>of("replace", "vvv", (m, a) -> m.replace(value(a[0]), value(a[1]), value(a[2]))),
            Methods.<ConcurrentMap<Integer, Integer>>of("size", "", (m, a) -> m.size()),
            Methods.<ConcurrentMap<Integer, Integer>>of("toString", "", (m, a) -> m.toString()));
    }

    private static List<Method<?>> navigableMap() {
        return List.of(
            Methods.<NavigableMap<Integer, Integer>>of("ceilingKey", "v", (m, a) -> m.ceilingKey(value(a[0]))),
            Methods.<NavigableMap<Integer, Integer>>of("firstEntry", "", (m, a) -> m.firstEntry()),
            Methods.<NavigableMap<Integer, Integer>>of("firstKey", "", (m, a) -> m.firstKey()),
            Methods.<NavigableMap<Integer, Integer>>of("floorKey", "v", (m, a) -> m.floorKey(value(a[0]))),
            Methods.<NavigableMap<Integer, Integer>>of("higherKey", "v", (m, a) -> m.higherKey(value(a[0]))),
            Methods.<NavigableMap<Integer, Integer>>of("lastEntry", "", (m, a) -> m.lastEntry()),
            Methods.<NavigableMap<Integer, Integer>>of("lastKey", "", (m, a) -> m.lastKey()),
            Methods.<NavigableMap<Integer, Integer>>of("lowerKey", "v", (m, a) -> m.lowerKey(value(a[0]))),
            Methods.<NavigableMap<Integer, Integer>>of("pollFirstEntry", "", (m, a) -> m.pollFirstEntry()),
            Methods.<NavigableMap<Integer, Integer>>of("pollLastEntry", "", (m, a) -> m.pollLastEntry()));
    }

    private static List<Method<?>> navigableSet() {
        return List.of(
            Methods.<NavigableSet<Integer>>of("ceiling", "v", (s, a) -> s.ceiling(value(a[0]))),
            Methods.<NavigableSet<Integer>>of("first", "", (s, a) -> s.first()),
            Methods.<NavigableSet<Integer>>of("floor", "v", (s, a) -> s.floor(value(a[0]))),
            Methods.<NavigableSet<Integer>>of("higher", "v", (s, a) -> s.higher(value(a[0]))),
            Methods.<NavigableSet<Integer>>of("last", "", (s, a) -> s.last()),
            Methods.<NavigableSet<Integer>>of("lower", "v", (s, a) -> s.lower(value(a[0]))),
            Methods.<NavigableSet<Integer>>of("pollFirst", "", (s, a) -> s.pollFirst()),
            Methods.<NavigableSet<Integer>>of("pollLast", "", (s, a) -> s.pollLast()));
    }
}
