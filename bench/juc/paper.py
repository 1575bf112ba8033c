"""What did Ozkan, Majumdar and Niksic measure? Tables 1 to 3 of "Checking Linearizability Using Hitting Families", PPoPP 2019."""

from __future__ import annotations

from typing import NamedTuple


class Paper(NamedTuple):
    histories: int  # Table 1
    operations: int
    concurrency: float  # mean of the largest number of operations that overlap each other
    pairs: float  # mean number of pairs that overlap
    schedules: tuple[int, int, int, int, int]  # Table 2: mean size of the family, d = 1 to 5
    judged: int  # Table 3: without the sequential ones
    linearizable: int
    proved: tuple[int, int, int, int, int]  # d = 1 to 5


PAPER = {
    "ArrayBlockingQueue": Paper(1029, 14, 2.21, 3.94, (2, 6, 21, 96, 412), 723, 714, (651, 685, 702, 707, 709)),
    "ConcurrentHashMap": Paper(1055, 14, 2.00, 8.42, (2, 11, 26, 39, 47), 1054, 959, (707, 857, 949, 959, 959)),
    "ConcurrentLinkedDeque": Paper(681, 12, 2.37, 4.26, (3, 7, 17, 42, 98), 520, 520, (387, 478, 515, 519, 520)),
    "ConcurrentLinkedQueue": Paper(780, 14, 2.27, 4.21, (2, 7, 22, 88, 351), 619, 616, (525, 608, 615, 616, 616)),
    "ConcurrentSkipListMap": Paper(
        1506, 14, 2.28, 4.04, (3, 7, 13, 27, 65), 1358, 1321, (1311, 1319, 1320, 1321, 1321)
    ),
    "ConcurrentSkipListSet": Paper(417, 18, 2.54, 10.00, (3, 15, 94, 568, 2876), 417, 417, (288, 363, 381, 402, 412)),
    "LinkedBlockingDeque": Paper(1131, 8, 2.63, 5.99, (3, 9, 22, 42, 60), 1106, 967, (743, 920, 963, 967, 967)),
    "LinkedBlockingQueue": Paper(1199, 9, 2.54, 7.28, (3, 10, 21, 33, 39), 1185, 975, (533, 808, 928, 972, 975)),
    "LinkedTransferQueue": Paper(1355, 15, 2.10, 4.79, (2, 7, 17, 55, 187), 1261, 1229, (878, 1144, 1203, 1217, 1226)),
    "PriorityBlockingQueue": Paper(1311, 14, 2.32, 4.94, (2, 7, 32, 167, 802), 982, 955, (793, 910, 935, 949, 955)),
}
