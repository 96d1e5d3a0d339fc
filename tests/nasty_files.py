"""Write files that are no valid table of answers, and odd files that are valid, as needed.

`NASTY` has, by name, a function that writes the file to a folder and returns its path. It also has
a pattern of the error message. `ODD` likewise has the comparisons, as names of objects, and the
options that reading needs.
"""

import gzip
import io
import json
import os
import pickle
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

HEADER = "anchor,near,far\n"
IDS = HEADER + "0,1,2\n2,0,1\n1,0,2\n"
NAMES = HEADER + "ape,bee,cat\ncat,ape,bee\n"
NASTY = {}
ODD = {}


def content(data, name="answers.csv"):
    """Return a function that writes a file with this content."""

    def make(folder):
        path = folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return make


def nasty(name, message, data=None, file="answers.csv"):
    """Register a nasty file by its content, or by the decorated function that writes it."""

    def note(make):
        NASTY[name] = make, message
        return make

    return note if data is None else note(content(data, file))


def odd(name, data, expected, file="answers.csv", **options):
    ODD[name] = content(data, file), expected, options


def zipped(text):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", text)
    return stream.getvalue()


def parquet(table, **options):
    stream = io.BytesIO()
    pq.write_table(pa.table(table), stream, **options)
    return stream.getvalue()


# Nothing, or nothing that is a table
nasty("empty", "empty; give at least one answer", b"")
nasty("blank lines", "empty; give at least one answer", "\n \n\t\n")
nasty("commas alone", "empty; give at least one answer", ",,\n,,\n")
nasty("a mark alone", "empty; give at least one answer", b"\xef\xbb\xbf")
nasty("a mark of UTF-16 alone", "empty|UTF-16", b"\xff\xfe")
nasty("a delimiter alone", "empty; give at least one answer", "sep=;\n")
nasty("only a header", "a header without answers", HEADER)
nasty("rows of six numbers", "6 columns without names, '0', '1'", "0,1,2,0,1,2\n1,2,0,2,1,0\n")
nasty("only a header of other words", "three columns without known names", "i,j,k\n")
nasty("three ids a row", "triplets .* or odd-one-out answers .* source='spose'", "0,1,2\n2,0,1\n")
nasty("three names a row", "may be triplets .*form='triplets'", "ape bee cat\ncat ape bee\n")
nasty(
    "prose", "the columns are .* none is known to", "Dear all,\nplease find the answers attached.\n"
)
nasty("one row of names", "three columns without known names", "ape,bee,cat\n")


@nasty("an empty folder", "no file of answers is in it, such as .csv")
def make_folder(folder):
    path = folder / "answers.csv"
    path.mkdir()
    return path


@nasty("nothing there", "this file does not exist")
def make_nothing(folder):
    return folder / "answers.csv"


@nasty("a file for a folder", "cannot be read")
def make_file_for_folder(folder):
    return content(IDS)(folder) / "answers.csv"


@nasty("a loop of links", "cannot be read")
def make_loop(folder):
    path = folder / "answers.csv"
    path.symlink_to(folder / "other.csv")
    (folder / "other.csv").symlink_to(path)
    return path


@nasty("a link to nothing", "this file does not exist")
def make_dangling(folder):
    path = folder / "answers.csv"
    path.symlink_to(folder / "other.csv")
    return path


@nasty("a pipe", "this is not a regular file")
def make_pipe(folder):
    path = folder / "answers.csv"
    os.mkfifo(path)
    return path


# Other files by another name
nasty("a zip archive", "a zip archive or an .xlsx workbook", zipped("<row/>"))
nasty("an old workbook", "an .xls workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99)
nasty("an SPSS file", "an SPSS file", b"$FL2@(#) IBM SPSS" + b"\0" * 99)
nasty("an HDF5 file", "an HDF5 file", b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "answers.h5")
nasty("a Feather file as CSV", "its name must end in .feather", b"ARROW1\0\0" + b"\0" * 99)
nasty("a Stata file as CSV", "its name must end in .dta", b"<stata_dta><header>" + b"\0" * 99)
nasty("arrays of numpy", "npz file: save its array as .npy", zipped("x"), "answers.npz")
nasty("an image", "a PNG image", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
nasty("a pickle", "a pickle, which is never opened", pickle.dumps([[0, 1, 2]], protocol=4))
nasty("a pickle as Parquet", "not a complete Parquet file", pickle.dumps([[0, 1, 2]]), "a.parquet")
nasty("a pickle as JSON lines", "a pickle, which is", pickle.dumps([[0, 1, 2]]), "a.jsonl")
nasty("a gzip file", "its name must end in .gz", gzip.compress(IDS.encode()))
nasty("a Parquet file as CSV", "its name must end in .parquet", parquet({"anchor": [0]}))
nasty("a CSV file as Parquet", "not a complete Parquet file", IDS, "answers.parquet")
nasty("random bytes", "zero byte|byte 0x", bytes((7 * i * i + 3) % 256 for i in range(9000)))
nasty("a web page", "the columns are", "<!DOCTYPE html>\n<html><body>404</body></html>\n")

# Damaged ones
whole = gzip.compress(IDS.encode() * 99)
nasty("a truncated gzip file", "not a complete gzip file", whole[:-9], "answers.csv.gz")
nasty("text as a gzip file", "not a complete gzip file", IDS, "answers.csv.gz")
nasty("Latin-1 in gzip", "line 2: byte 0xe9", gzip.compress(b"a,b,c\n\xe9,b,c"), "answers.csv.gz")
whole = parquet({"anchor": [0] * 99, "near": [1] * 99, "far": [2] * 99})
nasty("a truncated Parquet file", "not a complete Parquet file", whole[:-20], "answers.parquet")
nasty("an empty Parquet file", "not a complete Parquet file", b"", "answers.parquet")
nasty("zero bytes", "it holds a zero byte", "anchor,near,far\n0,1,\0\n")
nasty(
    "a zero byte far below",
    "line 3001: near: '.x00' is not an object",
    IDS[:16] + "0,1,2\n" * 2999 + "0,\0,2\n",
)
nasty("Latin-1", "line 3: byte 0xe9 is not UTF-8", b"anchor,near,far\na,b,c\na,caf\xe9,c\n")
nasty("half a UTF-16 file", "not a UTF-16", IDS.encode("utf-16")[:-1])
nasty("UTF-16 without a mark", "zero byte", IDS.encode("utf-16-le"))
nasty(
    "an open quote", "line 3: a cell that begins here", HEADER + '0,1,2\n0,"1,2\n' + "0,1,2\n" * 9
)
nasty("a quote amid a cell", "line 2: a cell that begins here", HEADER + '0,"1"0,2\n')
nasty("an endless quote", "a cell that begins here", HEADER + '0,"' + "1\n" * 200_000)
nasty("an endless line", "longer than 1,000,000 characters", HEADER + "0," * 600_000)
nasty("an endless header", "longer than 1,000,000", "a" * 1_200_000 + "\n0,1,2\n")

# Columns
nasty("other columns", "the columns are 'i', 'j', and none is known", "i,j\n0,1\n")
nasty("a column too few", "there is no column far", "anchor,near,participant\n0,1,ann\n")
nasty("a column of another name", "there is no column far", "anchor,near,distant\n0,1,2\n")
nasty("no objects", "none is known to hold objects", "participant,i,j,k\n1,0,1,2\n2,1,2,0\n")
nasty(
    "a column twice",
    "columns 2 and 4 have the same name, 'near'",
    "anchor,near,far,near\n0,1,2,3\n",
)
nasty(
    "two words for one",
    "'near' and 'closer', both mean near",
    "anchor,near,far,closer\n0,1,2,1\n",
)
nasty("two forms", "fit several forms", "anchor,near,far,ranking\n0,1,2,1|2\n")
nasty("a header twice", "line 5: the header, .* occurs again", IDS + IDS)
nasty("half a pair", "a pair lacks one of its two columns", "pair_1_1,best,worst\n0,1,2\n")
nasty(
    "a header of names",
    "four columns without known names, .* may be quadruplets .*columns=",
    "w,x,y,z\nape,bee,cat,dog\ndog,cat,ape,bee\n",
)

# Rows
nasty(
    "another delimiter below",
    r"line 2: 1 cell, '0;1;2'; .* 1 more row has a fault|2 of 2 rows",
    HEADER + "0;1;2\n" * 2,
)
nasty("ragged rows", "line 3: 4 cells, .*; the first row has 3", HEADER + "0,1,2\n0,1,2,3\n")
nasty("a short row", "line 2: 2 cells", HEADER + "0,1\n0,1,2\n")
nasty("an empty cell", "line 3: near: '' is a missing value", HEADER + "0,1,2\n0,,2\n")
nasty("NaN", "line 2: far: 'NaN' is a missing value", HEADER + "0,1,NaN\n0,1,2\n")
nasty("Namibia", "line 2: anchor: 'NA' is a missing value; rename it", HEADER + "NA,ZA,BW\n")
nasty("infinity", "line 2: far: 'inf' is not an object id", HEADER + "0,1,inf\n0,1,2\n")
nasty("a fractional id", "line 3: near: '1.5' is not an object id", HEADER + "0,1,2\n0,1.5,2\n")
nasty("a negative id", "line 2: anchor: '-1' is not an object id", HEADER + "-1,1,2\n0,1,2\n")
nasty("a huge id", "line 2: far: '1e30' is not an object id", HEADER + "0,1,1e30\n0,1,2\n")
nasty(
    "a longer id",
    "line 2: far: '1{60}'... is not an object id",
    HEADER + f"0,1,{'1' * 99}\n0,1,2\n",
)
nasty(
    "a number with a comma",
    "line 2: far: '1,5' is not an object id",
    "anchor;near;far\n0;1;1,5\n0;1;2\n",
)
nasty("a name among ids", "line 3: far: 'zwo' is not an object id", HEADER + "0,1,2\n0,1,zwo\n")
nasty("a formula", "line 2: near: '=1\\+1' is not an object id", HEADER + "0,=1+1,2\n0,1,2\n")
nasty("an error of a sheet", "line 2: near: '#REF!' is not an obj", HEADER + "0,#REF!,2\n0,1,2\n")
nasty("an object twice", "line 2: .* '1', '1'; the three", HEADER + "0,1,1\n0,1,2\n")
nasty("an object twice as text", "line 3: .*'3', '1', '3'", HEADER + "0,1,2\n3,1,3.0\n")
nasty("a name too long", "line 2: far: 'x*'... is longer", HEADER + f"a,b,{'x' * 2000}\na,b,c\n")
nasty(
    "a wrong odd one",
    "line 2: odd: 'd' is not one of 'a', 'b', 'c'",
    "objects,odd\na|b|c,d\na|b|c,c\n",
)
nasty("four of three", "line 2: objects: 4; there must be 3", "objects,odd\na|b|c|d,d\na|b|c,c\n")
nasty("none chosen", "chosen: 0 of 2", "anchor,candidates,chosen\na,b|c,\na,b|c,b\n")
nasty("all chosen", "chosen: 2 of 2", "anchor,candidates,chosen\na,b|c,b|c\na,b|c,b\n")
nasty(
    "a strange choice", "chosen: 'd' is not among", "anchor,candidates,chosen\na,b|c,d\na,b|c,b\n"
)
nasty("a gap in a list", "an empty cell before", "anchor,rank_1,rank_2,rank_3\na,b,,c\na,b,c,\n")
nasty("the anchor in its list", "the anchor itself", "anchor,ranking\na,b|a\na,b|c\n")
nasty(
    "too long a list",
    "1,500 objects on one",
    "anchor,ranking\n0," + "|".join(map(str, range(1, 1501))),
)
nasty(
    "two best pairs", "best and worst must differ", "pairs,best,worst\na|b|c|d,1,1\na|b|c|d,1,2\n"
)
nasty(
    "a strange pair", "there is no pair with this", "pairs,best,worst\na|b|c|d,1,3\na|b|c|d,1,2\n"
)
nasty(
    "a strange response",
    "response: 'maybe' is no",
    "anchor,first,second,response\na,b,c,maybe\na,b,c,1\n",
)
nasty(
    "responses 0 to 2",
    "response holds both 0 and 2, which may mean",
    "anchor,first,second,response\na,b,c,0\na,b,c,1\na,b,c,2\n",
)
nasty(
    "responses 0 and 1",
    "response holds only 0 and 1",
    "anchor,first,second,response\na,b,c,0\na,b,c,1\n",
)
nasty(
    "half a vote",
    "votes_first: '0.5' is no",
    "anchor,first,second,votes first,votes second\na,b,c,.5,1\na,b,c,1,1".replace(".5", "0.5"),
)
nasty("no votes", "all votes are 0", "anchor,first,second,votes first,votes second\na,b,c,0,0\n")
nasty(
    "too many votes",
    "votes: '10000000000' is no",
    "anchor,near,far,votes\na,b,c,10000000000\na,b,c,1\n",
)
nasty(
    "too many votes together",
    "60,000,000 votes; at most",
    f"{HEADER[:-1]},votes\n" + "a,b,c,1000000\n" * 60,
)
nasty(
    "too many comparisons",
    "74,925,000 comparisons follow",
    "anchor,ranking\n" + f"x,{'|'.join(f'o{i}' for i in range(1000))}\n" * 150,
)
nasty("nobody", "participant: '' is not a name", "anchor,near,far,participant\n0,1,2,\n0,1,2,ann\n")
nasty(
    "a time that is none",
    "time: '12:30' is not a number",
    "anchor,near,far,time\n0,1,2,12:30\n0,1,2,\n",
)
nasty(
    "a negative weight",
    "weight: '-1' is not a num",
    "anchor,near,far,weight\n0,1,2,-1\n0,1,2,1\n",
)
nasty(
    "an infinite weight",
    "weight: 'inf' is not a number",
    "anchor,near,far,weight\n0,1,2,inf\n0,1,2,1\n",
)

# JSON lines
ROW = '{"anchor": 0, "near": 1, "far": 2}\n'
nasty("half a JSON array", "line 1: no JSON", f"[{ROW},{ROW}", "answers.jsonl")
nasty("an array of no rows", "write an object in braces", "[0, 1, 2]\n", "answers.json")
nasty(
    "an indented JSON object",
    "there is no column ranking|none is known",
    json.dumps({"anchor": [0]}, indent=1),
    "answers.json",
)
nasty(
    "indented JSON",
    "the columns are 'ape', 'bee', and none is known",
    json.dumps({"ape": [["bee", "cat"]], "bee": [["cat", "ape"]]}, indent=1),
    "answers.json",
)
nasty("half a line of JSON", "line 2: no JSON", ROW + ROW[:20], "answers.jsonl")
nasty("brackets without end", "too many brackets|no JSON", ROW + "[" * 100_000, "answers.jsonl")
nasty("an object in an object", "an object in", ROW + '{"anchor": {}}\n', "answers.jsonl")
nasty("a list for an object", "a list where", ROW + ROW.replace("0", "[0]"), "answers.jsonl")
nasty("a key twice", "the key 'near' occurs twice", ROW + ROW.replace("far", "near"), "a.jsonl")
nasty(
    "a truth for an id",
    "'true' is not an object id",
    ROW + ROW.replace("0", "true"),
    "answers.jsonl",
)
nasty(
    "half a character",
    "a lone surrogate",
    '{"anchor":"a","near":"b","far":"\\ud800"}\n' * 2,
    "a.jsonl",
)
nasty("CSV as JSON lines", "no JSON", NAMES, "answers.jsonl")

# Parquet
rows = {"anchor": [0, 1], "near": [1, 2], "far": [2, 0]}
nasty(
    "nested Parquet",
    "near holds neither",
    parquet({**rows, "near": [{"id": 1}, {"id": 2}]}),
    "a.parquet",
)
nasty("lists in Parquet", "a list where", parquet({**rows, "near": [[1], [2]]}), "a.parquet")
nasty(
    "a null in Parquet",
    "row 1: near: '' is a missing",
    parquet({**rows, "near": [1, None]}),
    "a.parquet",
)
nasty(
    "a Parquet file without rows",
    "empty",
    parquet({"anchor": pa.array([], pa.int64())}),
    "a.parquet",
)
nasty(
    "other columns in Parquet",
    "there is no column far",
    parquet({"anchor": [0], "near": [1], "x": [2]}),
    "a.parquet",
)

if hasattr(os, "geteuid") and os.geteuid() != 0:

    @nasty("a file that may not be read", "cannot be read|Permission denied")
    def make_unreadable(folder):
        path = content(IDS)(folder)
        path.chmod(0)
        return path


# Odd, and right
TWO = [["ape", "bee", "cat"], ["cat", "ape", "bee"]]
THREE = [["0", "1", "2"], ["2", "0", "1"], ["1", "0", "2"]]
odd("a mark", b"\xef\xbb\xbf" + NAMES.encode(), TWO)
odd("UTF-16", NAMES.encode("utf-16"), TWO)
odd("big-endian UTF-16", b"\xfe\xff" + NAMES.encode("utf-16-be"), TWO)
odd("UTF-32", NAMES.encode("utf-32"), TWO)
odd("Windows lines", NAMES.replace("\n", "\r\n"), TWO)
odd("old Mac lines", NAMES.replace("\n", "\r"), TWO)
odd("blank lines", "\n\n" + NAMES.replace("\n", "\n \n") + "\n\n", TWO)
odd("empty rows of a sheet", NAMES + ",,\n,,\n", TWO)
odd("blanks ahead", " \n" * 9000 + NAMES, TWO)
odd("no line end", NAMES.rstrip(), TWO)
odd("a delimiter for Excel", "sep=;\n" + NAMES.replace(",", ";"), TWO)
odd("a tab for Excel", ("sep=\t\n" + NAMES.replace(",", "\t")).encode("utf-16"), TWO)
odd(
    "an export of Qualtrics",
    NAMES.replace(
        "\n",
        '\nWhich\nis it?,close,not\n"{""ImportId"":""a""}","{""ImportId"":""b""}",'
        '"{""ImportId"":""c"",""timeZone"":""Z""}"\n',
        1,
    ).replace("Which\nis it?", '"Which\nis it?"'),
    TWO,
)
odd(
    "a plain export of Qualtrics",
    NAMES.replace("\n", "\nWhich,close,far\n" + ",".join(['"{""ImportId"":""a""}"'] * 3) + "\n", 1),
    TWO,
)
odd(
    "quotes between blanks",
    'ape "b" c\nc ape "b"\n',
    [["ape", '"b"', "c"], ["c", "ape", '"b"']],
    form="triplets",
)
odd("tabs", NAMES.replace(",", "\t"), TWO)
odd("semicolons", NAMES.replace(",", ";"), TWO)
odd("blanks", NAMES.replace(",", "   "), TWO)
odd("blanks around cells", NAMES.replace(",", " ,  "), TWO)
odd("all in quotes", '"anchor","near","far"\n"ape","bee","cat"\n"cat","ape","bee"\n', TWO)
odd("gzip", gzip.compress(NAMES.encode()), TWO, "answers.csv.gz")
odd("gzipped JSON lines", gzip.compress(ROW.encode() * 2), [["0", "1", "2"]] * 2, "a.jsonl.gz")
odd("floats", IDS.replace("0", "0.0").replace("2", "2.0"), THREE)
odd(
    "far apart ids",
    IDS.replace("2", "123456789012345678"),
    [[cell.replace("2", "123456789012345678") for cell in row] for row in THREE],
)
odd("zeros ahead", HEADER + "007,1,2\n7,1,2\n", [["007", "1", "2"], ["7", "1", "2"]])
odd("no header, ids", "0,1,2\n2,0,1\n1,0,2\n", THREE, form="triplets")
odd("no header, names", "ape bee cat\ncat ape bee\n", TWO, form="triplets")
odd(
    "no header, an object in both pairs",
    "a b a c\nb a b c\n",
    [["a", "b", "a", "c"], ["b", "a", "b", "c"]],
    form="quadruplets",
)
odd("no header, an id in both pairs", "1,0,1,2\n", [["1", "0", "1", "2"]], form="quadruplets")
odd("other words above ids", "i,j,k\n0,1,2\n2,0,1\n1,0,2\n", THREE, form="triplets")
odd("columns in another order", "FAR,Anchor, near\ncat,ape,bee\nbee,cat,ape\n", TWO)
odd("columns of no meaning", "n,anchor,near,far,\n1,ape,bee,cat,\n2,cat,ape,bee,\n", TWO)
odd("a column that names nothing twice", "anchor,near,far,,\nape,bee,cat,,\ncat,ape,bee,,\n", TWO)
odd("quoted delimiters", HEADER + '"a, b","c\nd","e ""f"""\n', [["a, b", "c\nd", 'e "f"']])
odd("numbers among names", HEADER + "311,Abba,Cher\n", [["311", "Abba", "Cher"]])
odd("formulas for names", HEADER + "=1+1,@a,+b\n", [["=1+1", "@a", "+b"]])
odd("markup for names", HEADER + "<b>,</script>,&amp;\n", [["<b>", "</script>", "&amp;"]])
odd("emoji", HEADER + "🐒,🐝,👩‍👩‍👧\n", [["🐒", "🐝", "👩‍👩‍👧"]])
odd("other scripts", HEADER + "Åse,猫,قطة\n", [["Åse", "猫", "قطة"]])
odd("names that are words", HEADER + "near,far,anchor\n", [["near", "far", "anchor"]])
odd(
    "JSON lines",
    '{"far": "cat", "anchor": "ape", "near": "bee"}\n\n'
    '{"anchor": "cat", "near": "ape", "far": "bee"}\n',
    TWO,
    "a.ndjson",
)
odd("a JSON array", f"[{ROW},{ROW}]", [["0", "1", "2"]] * 2, "answers.json")
odd("arrays of JSON, one a line", f"[{ROW[:-1]}]\n[{ROW[:-1]}]", [["0", "1", "2"]] * 2, "a.json")
odd(
    "JSON by column, as pandas writes it",
    json.dumps(
        {name: {"0": 1, "1": 1} for name in ("near",)}
        | {"anchor": {"0": 0, "1": 0}, "far": {"0": 2, "1": 2}}
    ),
    [["0", "1", "2"]] * 2,
    "answers.json",
)
odd(
    "Parquet",
    parquet(
        {
            "anchor": ["ape", "cat"],
            "near": ["bee", "ape"],
            "far": ["cat", "bee"],
            "other": [{"a": 1}, {"a": 2}],
        }
    ),
    TWO,
    "answers.parquet",
)
odd(
    "dictionaries in Parquet",
    parquet(
        {
            "anchor": pa.array(["ape", "cat"]).dictionary_encode(),
            "near": ["bee", "ape"],
            "far": ["cat", "bee"],
        }
    ),
    TWO,
    "answers.parquet",
)
odd(
    "floats in Parquet",
    parquet({"anchor": [0.0, 2.0, 1.0], "near": [1.0, 0.0, 0.0], "far": [2, 1, 2]}),
    THREE,
    "answers.parquet",
)
