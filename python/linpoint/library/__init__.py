"""Ready specifications, importable and runnable: so far the ten classes of `java.util.concurrent` (`linpoint.library.juc`)."""
