"""Provide road distances between 21 European cities; they are in this module, not in a file."""

import numpy as np

from closerthan.datasets.dataset import Dataset, describe

# Latitude and longitude in degrees, from GeoNames (geonames.org, CC BY 4.0).
CITIES = {
    "Athens": (37.98, 23.73),
    "Barcelona": (41.39, 2.16),
    "Brussels": (50.85, 4.35),
    "Calais": (50.95, 1.86),
    "Cherbourg": (49.64, -1.62),
    "Cologne": (50.93, 6.95),
    "Copenhagen": (55.68, 12.57),
    "Geneva": (46.20, 6.15),
    "Gibraltar": (36.14, -5.35),
    "Hamburg": (53.55, 9.99),
    "Hook of Holland": (51.98, 4.13),
    "Lisbon": (38.73, -9.15),
    "Lyons": (45.75, 4.85),
    "Madrid": (40.42, -3.70),
    "Marseilles": (43.30, 5.38),
    "Milan": (45.46, 9.19),
    "Munich": (48.14, 11.58),
    "Paris": (48.85, 2.35),
    "Rome": (41.89, 12.51),
    "Stockholm": (59.33, 18.07),
    "Vienna": (48.21, 16.37),
}

# One row per city: its distances in km to all following cities.
_KILOMETERS = """
3313 2963 3175 3339 2762 3276 2610 4485 2977 3030 4532 2753 3949 2865 2282 2179 3000 817 3927 1991
1318 1326 1294 1498 2218 803 1172 2018 1490 1305 645 636 521 1014 1365 1033 1460 2868 1802
204 583 206 966 677 2256 597 172 2084 690 1558 1011 925 747 285 1511 1616 1175
460 409 1136 747 2224 714 330 2052 739 1550 1059 1077 977 280 1662 1786 1381
785 1545 853 2047 1115 731 1827 789 1347 1101 1209 1160 340 1794 2196 1588
760 1662 2436 460 269 2290 714 1764 1035 911 583 465 1497 1403 937
1418 3196 460 269 2971 1458 2498 1778 1537 1104 1176 2050 650 1455
1975 1118 895 1936 158 1439 425 328 591 513 995 2068 1019
2897 2428 676 1817 698 1693 2185 2565 1971 2631 3886 2974
550 2671 1159 2198 1479 1238 805 877 1751 949 1155
2280 863 1730 1183 1098 851 457 1683 1500 1205
1178 668 1762 2250 2507 1799 2700 3231 2937
1281 320 328 724 471 1048 2108 1157
1157 1724 2010 1273 2097 3188 2409
618 1109 792 1011 2428 1363
331 856 586 2187 898
821 946 1754 428
1476 1827 1249
2707 1209
2105
"""


def load_eurodist() -> Dataset:
    """Load the road distances of R's ``datasets::eurodist``.

    The distances are the values of the source. They are not Euclidean, because roads are not
    straight. They are not a metric either: some violate the triangle inequality.

    The data set has ``distances``, shape (21, 21), in km; ``object_names``, the cities;
    ``parameters``, shape (21, 2), their latitude and longitude in degrees.

    References
    ----------
    D. Crystal (ed.), The Cambridge Encyclopaedia, Cambridge University Press, 1990.
    GeoNames, geonames.org, CC BY 4.0 (``parameters``).

    Examples
    --------
    >>> from closerthan.datasets import load_eurodist
    >>> cities = load_eurodist()
    >>> cities.object_names[:2].tolist(), cities.distances[0, 1].item()
    (['Athens', 'Barcelona'], 3313.0)
    """
    n = len(CITIES)
    distances = np.zeros((n, n))
    distances[np.triu_indices(n, 1)] = np.array(_KILOMETERS.split(), dtype=float)
    distances += distances.T
    names, places = np.array(list(CITIES)), np.array(list(CITIES.values()))
    return describe("eurodist", n, distances=distances, object_names=names, parameters=places)
