"""Which methods did the paper look at, and what is known of each?

Tables 1 and 2 of Zomer, Golan-Gueta, Ramalingam & Sagiv (ESOP 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from linpoint.extend import Extension, extend_file
from linpoint.library.extensions import figures, shapes


@dataclass(frozen=True)
class Entry:
    """One method of the paper."""

    origin: str
    """Where it stands in the paper: "Figure 1", "Table 1"."""
    application: str
    cls: str
    function: str
    """The function of `figures.py` or `shapes.py` that has its shape."""
    linearizable: bool = True
    paper_states: int | None = None
    """The abstract states of the paper's tool."""


def _rows(origin: str, linearizable: bool, function: str, *rows: tuple[str, str, int]) -> list[Entry]:
    return [Entry(origin, application, cls, function, linearizable, states) for application, cls, states in rows]


ENTRIES: Final = (
    Entry("Figure 1", "java.util.concurrent", "computeIfAbsent", "compute_if_absent"),
    Entry("Figure 2", "OpenJDK", "ThrowingTasks.inc", "inc"),
    Entry("Figure 4", "", "readAndWriteTrue", "read_and_write_true", False),
    Entry("Figure 6", "", "optimisticIsEven", "optimistic_is_even"),
    *_rows(
        "Table 1",
        True,
        "get_or_put_if_absent",
        ("Apache ServiceMix", "SimpleLockManager", 49),
        ("Clojure", "Namespace", 49),
        ("Cometdim", "ChatService", 49),
        ("DWR", "AbstractMapContextScope", 49),
        ("ehcache-spring-annotation", "CacheAttributeSourceImpl", 49),
        ("FindBugs", "Profiler", 54),
        ("Granite", "ExternalizerFactory", 49),
        ("Hazelcast", "Log4jFactory", 49),
        ("ifw2", "ReflectiveClone", 49),
        ("ifw2", "ClassInfo", 49),
        ("JBoss", "AOPLogger", 49),
        ("Jetty", "AbstractBayeux", 49),
        ("Jetty", "OortChatService", 47),
        ("Jetty", "OortChatService", 47),
        ("Jexin", "ActiveTemplateMap", 47),
        ("Jsefa", "InitialConfiguration", 49),
        ("Keyczar", "StreamCache", 49),
        ("ProjectTrack", "MethodCallRecorder", 48),
        ("ProjectTrack", "MethodCallRecorder", 49),
        ("Yasca", "Profiler", 49),
    ),
    *_rows("Table 1", True, "put_if_absent_first", ("GWTEventService", "DefaultUserManager", 14)),
    *_rows("Table 1", True, "inc", ("OpenJDK", "ThrowingTasks", 98)),
    *_rows(
        "Table 2",
        False,
        "look_again_if_beaten",
        ("Adobe BlazeDS", "FIFOMessageQueue", 17),
        ("Adobe BlazeDS", "FIFOMessageQueue", 17),
    ),
    *_rows(
        "Table 2",
        False,
        "add_column",
        ("Apache Cassandra", "SuperColumn", 12),
        ("Apache Cassandra", "ColumnFamily", 12),
    ),
    *_rows(
        "Table 2",
        False,
        "contains_put_get",
        ("Apache MyFaces Trinidad", "SessionChangeManager", 8),
        ("Flexive", "MessageBean", 8),
    ),
    *_rows("Table 2", False, "contains_get_remove", ("Apache Tomcat", "ApplicationContext", 9)),
    *_rows("Table 2", False, "contains_then_get", ("Apache Tomcat", "ReplicatedContext", 9)),
    *_rows(
        "Table 2",
        False,
        "own_after_put_if_absent",
        ("Apache CXF", "ClassResourceInfo", 24),
        ("dyuproject", "StandardConvertorCache", 17),
        ("dyuproject", "StandardConvertorCache", 20),
        ("JRipples", "HessianSkeletonProviderImpl", 19),
        ("RestEasy", "XmlJAXBContextFinder", 13),
        ("RestEasy", "JsonJAXBContextFinder", 12),
        ("RestEasy", "JsonJAXBContextFinder", 12),
    ),
    *_rows("Table 2", True, "android_tools", ("autoandroid", "AndroidTools", 17)),
    *_rows("Table 2", False, "renderer_for", ("Flexive", "FxValueRendererFactory", 19)),
    *_rows("Table 2", False, "look_again", ("Gridkit", "ReflectionPofSerializer", 12)),
    *_rows(
        "Table 2",
        False,
        "own_after_put",
        ("GWTEventService", "AutoIncrementFactory", 7),
        ("Hazelcast", "ClientEndpoint", 12),
    ),
    Entry("repair", "Apache Cassandra", "SuperColumn", "add_column_repaired"),
)

UNKNOWN: Final = (
    ("Table 1", "ifw2", "PropertyNavigator"),
    ("Table 1", "Tammi", "StaticPersisterFactory"),
    ("Table 2", "Annsor", "Annsor"),
    ("Table 2", "Apache Tomcat", "ApplicationContext (the second)"),
    ("Table 2", "GlassFish", "BeanManager"),
    ("Table 2", "Hudson", "Hudson"),
    ("Table 2", "memcache-client", "SocketIOpool"),
    ("Table 2", "Tammi", "StaticVariableRegistry"),
    ("Table 2", "Torque-spring", "PersistenceManagerFactory"),
    ("Table 2", "Webmill", "ContextNavigator"),
)
"""Methods of the tables whose bodies we do not know; they are left out."""


def verified() -> list[tuple[Entry, Extension]]:
    """Every entry with what linpoint says of its shape; a shape is judged once."""
    known = {result.name: result for module in (figures, shapes) for result in extend_file(str(module.__file__))}
    return [(entry, known[entry.function]) for entry in ENTRIES]
