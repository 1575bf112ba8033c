import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What do the classes of java.util.concurrent answer when several threads call them at once? Runs random harnesses, as Violat does
 * (Emmi and Enea), and writes the histories as Violat's JSON, one per line, into FOLDER/CLASS.jsonl.
 *
 * <pre>java Recorder FOLDER HISTORIES SEED [sequential]</pre>
 *
 * A harness is a random program of two or three threads, run many times. The threads meet at a barrier on which they spin, wait a few
 * random turns before each call, and stamp each call and each return with a common counter: an event that has a smaller stamp
 * happened before. Of each harness the histories with most overlap are kept, different ones only, none without overlap.
 * "sequential" lets one thread run long random programs instead: the true test of a sequential specification.
 * The seed fixes the programs; what the threads make of them is up to the machine.
 */
public final class Recorder {
    static final int VALUES = 4;
    static final int REPETITIONS = 12;
    static final int KEPT = 3;

    /** A call in a program. */
    record Call(int thread, Methods.Method<?> method, Object[] arguments, int pause) {}

    /** What happened when a program was run: stamps and answers of its calls. */
    record Run(List<Call> program, int[] calls, int[] returns, Object[] answers) {
        int overlaps() {
            int pairs = 0;
            for (int i = 0; i < calls.length; i++) {
                for (int j = 0; j < i; j++) {
                    if (calls[i] < returns[j] && calls[j] < returns[i]) {
                        pairs++;
                    }
                }
            }
            return pairs;
        }
    }

    private final Methods.Target target;
    private final Random random;
    private final Crew[] crews = {new Crew(1), new Crew(2), new Crew(3)};

    private Recorder(Methods.Target target, long seed) {
        this.target = target;
        this.random = new Random(seed * 31 + target.name().hashCode());
    }

    public static void main(String[] words) throws IOException {
        Path folder = Path.of(words[0]);
        int wanted = Integer.parseInt(words[1]);
        long seed = Long.parseLong(words[2]);
        boolean sequential = words.length > 3 && words[3].equals("sequential");
        Files.createDirectories(folder);
        for (Methods.Target target : Methods.TARGETS) {
            Recorder recorder = new Recorder(target, seed);
            Path file = folder.resolve(target.name() + ".jsonl");
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
                recorder.record(wanted, sequential, out);
            }
            for (Crew crew : recorder.crews) {
                crew.dismiss();
            }
        }
    }

    private void record(int wanted, boolean sequential, PrintWriter out) {
        Set<String> seen = new HashSet<>();
        while (seen.size() < wanted) {
            int threads = sequential ? 1 : random.nextInt(4) == 0 ? 3 : 2;
            List<Call> program = program(threads, sequential ? 10 + random.nextInt(31) : 0);
            List<Run> runs = new ArrayList<>();
            for (int i = 0; i < (sequential ? 1 : REPETITIONS); i++) {
                Run run = crews[threads - 1].run(target.fresh().get(), program);
                if (sequential || run.overlaps() > 0) {
                    runs.add(run);
                }
            }
            runs.sort(Comparator.comparingInt(Run::overlaps).reversed());
            int kept = 0;
            for (Run run : runs) {
                String trace = Trace.of("java.util.concurrent." + target.name(), run);
                if (kept < KEPT && seen.size() < wanted && seen.add(trace)) {
                    out.println(trace);
                    kept++;
                }
            }
        }
    }

    /** A random program; of several threads each makes three to six calls. */
    private List<Call> program(int threads, int length) {
        List<Call> program = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int calls = length > 0 ? length : 3 + random.nextInt(threads == 2 ? 4 : 2);
            for (int i = 0; i < calls; i++) {
                Methods.Method<?> method = target.methods().get(random.nextInt(target.methods().size()));
                Object[] arguments = method.shape().chars().mapToObj(this::argument).toArray();
                program.add(new Call(thread, method, arguments, random.nextInt(40)));
            }
        }
        return program;
    }

    private Object argument(int shape) {
        if (shape == 'v') {
            return random.nextInt(VALUES);
        }
        List<Object> items = new ArrayList<>();
        Map<Object, Object> keys = new LinkedHashMap<>();
        int length = 1 + random.nextInt(3);
        while (items.size() < length) {
            Integer value = random.nextInt(VALUES);
            if (shape == 'l') {
                items.add(value);
            } else if (keys.put(value, value) == null) {
                items.add(List.of(value, random.nextInt(VALUES)));
            }
        }
        return List.copyOf(items);
    }

    /** The threads that run programs: this one, and others that wait for the next. */
    private static final class Crew {
        private final int threads;
        private final AtomicInteger stamp = new AtomicInteger();
        private final AtomicInteger arrived = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();
        private volatile int turn;
        private volatile boolean dismissed;
        private volatile Object object;
        private volatile List<Call> program;
        private volatile int[] calls;
        private volatile int[] returns;
        private volatile Object[] answers;

        Crew(int threads) {
            this.threads = threads;
            for (int i = 1; i < threads; i++) {
                int thread = i;
                Thread helper = new Thread(() -> wait(thread));
                helper.setDaemon(true);
                helper.start();
            }
        }

        Run run(Object fresh, List<Call> next) {
            object = fresh;
            program = next;
            calls = new int[next.size()];
            returns = new int[next.size()];
            answers = new Object[next.size()];
            stamp.set(0);
            arrived.set(0);
            finished.set(0);
            turn++; // from here on the others see all of this
            work(0);
            await(finished, threads);
            return new Run(next, calls, returns, answers);
        }

        void dismiss() {
            dismissed = true;
            turn++;
        }

        private void wait(int thread) {
            int done = 0;
            while (true) {
                for (int spins = 0; turn == done; spins++) {
                    relax(spins);
                }
                done++;
                if (dismissed) {
                    return;
                }
                work(thread);
            }
        }

        private void work(int thread) {
            List<Call> calls = program;
            arrived.incrementAndGet();
            await(arrived, threads);
            for (int i = 0; i < calls.size(); i++) {
                if (calls.get(i).thread() == thread) {
                    one(i, calls.get(i));
                }
            }
            finished.incrementAndGet();
        }

        private void one(int place, Call call) {
            for (int i = 0; i < call.pause(); i++) {
                Thread.onSpinWait();
            }
            Object answer;
            int called = stamp.getAndIncrement();
            try {
                answer = call.method().call(object, call.arguments());
            } catch (RuntimeException error) {
                answer = error;
            }
            int returned = stamp.getAndIncrement();
            calls[place] = called;
            returns[place] = returned;
            answers[place] = answer;
        }

        private static void await(AtomicInteger counter, int wanted) {
            for (int spins = 0; counter.get() < wanted; spins++) {
                relax(spins);
            }
        }

        private static void relax(int spins) {
            if (spins < 2000) {
                Thread.onSpinWait();
            } else if (spins < 4000) {
                Thread.yield(); // another thread may need this core to get ready
            } else {
                LockSupport.parkNanos(100_000); // this crew has nothing to do for a while
            }
        }
    }

    /** A run as Violat writes it. Lists and exceptions are JSON of their own: [1, 2] and {"raised": "NoSuchElementException"}. */
    private static final class Trace {
        static String of(String name, Run run) {
            int size = run.calls().length;
            String[] events = new String[2 * size];
            for (int i = 0; i < size; i++) {
                Call call = run.program().get(i);
                String invocation = "\"sid\":" + call.thread() + ",\"invocation\":{\"id\":" + i + ",\"method\":{\"name\":"
                    + quoted(call.method().name()) + "},\"arguments\":" + json(Arrays.asList(call.arguments())) + "}";
                events[run.calls()[i]] = "{\"kind\":\"call\"," + invocation + "}";
                events[run.returns()[i]] = "{\"kind\":\"return\"," + invocation + ",\"value\":" + answer(run.answers()[i]) + "}";
            }
            return "{\"schema\":{\"class\":" + quoted(name) + "},\"events\":[" + String.join(",", events) + "]}";
        }

        private static String answer(Object answer) {
            if (answer instanceof RuntimeException) {
                return "{\"raised\":" + quoted(answer.getClass().getSimpleName()) + "}";
            }
            if (answer instanceof Object[] array) {
                return json(Arrays.asList(array));
            }
            return answer instanceof List<?> ? json(answer) : quoted(String.valueOf(answer));
        }

        private static String json(Object value) {
            if (!(value instanceof List<?> list)) {
                return String.valueOf(value);
            }
            return "[" + String.join(",", list.stream().map(Trace::json).toList()) + "]";
        }

        private static String quoted(String text) {
            return '"' + text + '"'; // names of classes and methods, numbers, "[1, 2]": nothing to be escaped
        }
    }
}
