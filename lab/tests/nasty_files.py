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
SIDES = "anchor,first,second,response\n"
CHOICES = "anchor,candidates,chosen\n"
VOTES = "anchor,first,second,votes first,votes second\n"
PAIRS = "pairs,best,worst\n"
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


def nasty_json(name, message, text):
    nasty(name, message, text, "answers.jsonl")


def nasty_parquet(name, message, **columns):
    """Register a Parquet file of triplets with these columns in place of its own."""
    rows = {"anchor": [0, 1], "near": [1, 2], "far": [2, 0]}
    nasty(name, message, parquet(rows | columns), "answers.parquet")


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
nasty("rows of six numbers", "no row names the columns", "0,1,2,0,1,2\n1,2,0,2,1,0\n")
nasty("only a header of other words", "three columns without known names", "i,j,k\n")
nasty("three ids a row", "triplets .* or odd-one-out answers .* source='spose'", "0,1,2\n2,0,1\n")
nasty("three names a row", "may be triplets .*form='triplets'", "ape bee cat\ncat ape bee\n")


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


@nasty("a pipe", "this is not a regular file")
def make_pipe(folder):
    path = folder / "answers.csv"
    os.mkfifo(path)
    return path


# Other files by another name
nasty("a zip archive", "must end in .zip or .xlsx", zipped("<row/>"))
nasty("an old workbook", "must end in .xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99)
nasty("an SPSS file", "not a text file", b"$FL2@(#) IBM SPSS" + b"\0" * 99)
nasty("an HDF5 file", "not a text file", b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "answers.h5")
nasty("a Feather file as CSV", "its name must end in .feather", b"ARROW1\0\0" + b"\0" * 99)
nasty("a Stata file as CSV", "its name must end in .dta", b"<stata_dta><header>" + b"\0" * 99)
nasty("arrays of numpy", "npz file: save its array as .npy", zipped("x"), "answers.npz")
nasty("an image", "not a text file", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
nasty("a pickle", "not a text file", pickle.dumps([[0, 1, 2]], protocol=4))
nasty_json("a pickle as JSON lines", "not a text file", pickle.dumps([[0, 1, 2]]))
nasty("a gzip file", "its name must end in .gz", gzip.compress(IDS.encode()))
nasty("a Parquet file as CSV", "its name must end in .parquet", parquet({"anchor": [0]}))
nasty("a CSV file as Parquet", "not a complete Parquet file", IDS, "answers.parquet")
nasty("a web page", "the columns are", "<!DOCTYPE html>\n<html><body>404</body></html>\n")

# Damaged ones
whole = gzip.compress(IDS.encode() * 99)
nasty("a truncated gzip file", "not a complete gzip file", whole[:-9], "answers.csv.gz")
nasty("text as a gzip file", "not a complete gzip file", IDS, "answers.csv.gz")
nasty("zero bytes", "it holds a zero byte", "anchor,near,far\n0,1,\0\n")
far_below = IDS[:16] + "0,1,2\n" * 2999 + "0,\0,2\n"
nasty("a zero byte far below", "line 3001: near: '.x00' is not an object", far_below)
nasty(
    "Latin-1",
    "line 3: byte 0xe9 is not UTF-8; save it as UTF-8",
    b"anchor,near,far\na,b,c\na,caf\xe9,c\n",
)
nasty("half a UTF-16 file", "not a complete UTF-16", IDS.encode("utf-16")[:-1])
open_quote = HEADER + '0,1,2\n0,"1,2\n' + "0,1,2\n" * 9
nasty("an open quote", "line 3: a cell that begins here", open_quote)
nasty("a quote amid a cell", "line 2: a cell that begins here", HEADER + '0,"1"0,2\n')
nasty("an endless quote", "a cell that begins here", HEADER + '0,"' + "1\n" * 200_000)
nasty("an endless line", "longer than 1,000,000 characters", HEADER + "0," * 600_000)
nasty("an endless header", "longer than 1,000,000", "a" * 1_200_000 + "\n0,1,2\n")

# Columns
nasty("other columns", "the columns are 'i' .'0'., 'j' .'1'.; none is known", "i,j\n0,1\n")
nasty("a column too few", "there is no column far", "anchor,near,participant\n0,1,ann\n")
nasty("no objects", "none is known to hold objects", "participant,i,j,k\n1,0,1,2\n2,1,2,0\n")
nasty("a column twice", "columns 2 and 4, .* mean the same", "anchor,near,far,near\n0,1,2,3\n")
nasty("two forms", "fit several forms", "anchor,near,far,ranking\n0,1,2,1|2\n")
nasty("a header twice", "line 5: the header, .* occurs again", IDS + IDS)
for again in ("Anchor,Far,near", "ref,winner,loser"):
    nasty(f"the header {again} below", "line 4: the header, .* occurs again", NAMES + again)
nasty("half a pair", "a pair lacks one of its two columns", "pair_1_1,best,worst\n0,1,2\n")

# Rows
message = r"line 2: 1 cell, '0;1;2'; .* 1 more row has a fault|2 of 2 rows"
nasty("another delimiter below", message, HEADER + "0;1;2\n" * 2)
nasty("ragged rows", "line 3: 4 cells, .*; the first row has 3", HEADER + "0,1,2\n0,1,2,3\n")
nasty("a short row", "line 2: 2 cells", HEADER + "0,1\n0,1,2\n")
nasty("an empty cell", "line 3: near: '' is a missing value", HEADER + "0,1,2\n0,,2\n")
nasty("Namibia", "line 2: anchor: 'NA' is a missing value; rename it", HEADER + "NA,ZA,BW\n")
nasty("infinity", "line 2: far: 'inf' is not an object id", HEADER + "0,1,inf\n0,1,2\n")
nasty("a fractional id", "line 3: near: '1.5' is not an object id", HEADER + "0,1,2\n0,1.5,2\n")
nasty("a negative id", "line 2: anchor: '-1' is not an object id", HEADER + "-1,1,2\n0,1,2\n")
nasty("a huge id", "line 2: far: '1e30' is not an object id", HEADER + "0,1,1e30\n0,1,2\n")
comma = "anchor;near;far\n0;1;1,5\n0;1;2\n"
nasty("a number with a comma", "line 2: far: '1,5' is not an object id", comma)
nasty("a name among ids", "line 3: far: 'zwo' is not an object id", HEADER + "0,1,2\n0,1,zwo\n")
nasty("an object twice", "line 2: .* '1', '1'; the three", HEADER + "0,1,1\n0,1,2\n")
nasty("an object twice as text", "line 3: .*'3', '1', '3'", HEADER + "0,1,2\n3,1,3.0\n")
nasty("a name too long", "line 2: far: 'x*'... is longer", HEADER + f"a,b,{'x' * 2000}\na,b,c\n")
wrong = "objects,odd\na|b|c,d\na|b|c,c\n"
nasty("a wrong odd one", "line 2: odd: 'd' is not one of 'a', 'b', 'c'", wrong)
nasty("four of three", "line 2: objects: 4; there must be 3", "objects,odd\na|b|c|d,d\na|b|c,c\n")
nasty("none chosen", "chosen: 0 of 2", CHOICES + "a,b|c,\na,b|c,b\n")
nasty("all chosen", "chosen: 2 of 2", CHOICES + "a,b|c,b|c\na,b|c,b\n")
nasty("a strange choice", "chosen: 'd' is not among", CHOICES + "a,b|c,d\na,b|c,b\n")
nasty("a gap in a list", "an empty cell before", "anchor,rank_1,rank_2,rank_3\na,b,,c\na,b,c,\n")
nasty("the anchor in its list", "the anchor itself", "anchor,ranking\na,b|a\na,b|c\n")
long_list = "|".join(map(str, range(1, 1501)))
nasty("too long a list", "1,500 objects on one", f"anchor,ranking\n0,{long_list}")
nasty("two best pairs", "best and worst must differ", PAIRS + "a|b|c|d,1,1\na|b|c|d,1,2\n")
nasty("a strange pair", "there is no pair with this", PAIRS + "a|b|c|d,1,3\na|b|c|d,1,2\n")
nasty("a strange response", "response: 'maybe' is no", SIDES + "a,b,c,maybe\na,b,c,1\n")
for codes in ("0 1 2", "0 1", "-1 1", "1", "-1 left right", "False left", "left second", "0 2"):
    rows = "".join(f"a,b,c,{code}\n" for code in codes.split())
    nasty(f"responses {codes}", "response holds only .* nothing says which", SIDES + rows)
nasty("half a vote", "votes_first: '0.5' is no", VOTES + "a,b,c,0.5,1\na,b,c,1,1")
nasty("no votes", "all votes are 0", VOTES + "a,b,c,0,0\n")
of_rows = HEADER.replace("\n", ",votes\n")
nasty("too many votes", "votes: '10000000000' is no", of_rows + "a,b,c,10000000000\na,b,c,1\n")
nasty("too many votes together", "60,000,000 votes; at most", of_rows + "a,b,c,1000000\n" * 60)
long_list = "|".join(f"o{i}" for i in range(1000))
many = "anchor,ranking\n" + f"x,{long_list}\n" * 150
nasty("too many comparisons", "74,925,000 comparisons follow", many)
for weight in ("-1", "inf"):
    text = HEADER.replace("\n", ",weight\n") + f"0,1,2,{weight}\n0,1,2,1\n"
    nasty(f"a weight of {weight}", f"weight: '{weight}' is not a number", text)

# JSON lines
ROW = '{"anchor": 0, "near": 1, "far": 2}\n'
nasty_json("half a JSON array", "line 1: no JSON", f"[{ROW},{ROW}")
nasty("an array of no rows", "write an object in braces", "[0, 1, 2]\n", "answers.json")
one = '{\n "anchor": [0]\n}'
nasty("an indented object", "there is no column ranking|none is known", one, "answers.json")
lists = '{\n "ape": [["bee", "cat"]],\n "bee": [["cat", "ape"]]\n}'
nasty("indented lists", "none is known to hold objects", lists, "answers.json")
nasty_json("half a line of JSON", "line 2: no JSON", ROW + ROW[:20])
nasty_json("brackets without end", "too many brackets|no JSON", ROW + "[" * 100_000)
nasty_json("an object in an object", "an object where", ROW + '{"anchor": {}}\n')
nasty_json("a list for an object", "a list or", ROW + ROW.replace("0", "[0]"))
nasty_json("a key twice", "the key 'near' occurs twice", ROW + ROW.replace("far", "near"))
nasty_json("a truth for an id", "'true' is not an object id", ROW + ROW.replace("0", "true"))
lone = '{"anchor":"a","near":"b","far":"\\ud800"}\n' * 2
nasty_json("half a character", "a lone surrogate", lone)

# Parquet
nasty_parquet("nested Parquet", "an object where", near=[{"id": 1}, {"id": 2}])
nasty_parquet("lists in Parquet", "a list or", near=[[1], [2]])
nasty_parquet("a null in Parquet", "row 1: near: '' is a missing", near=[1, None])
none = dict.fromkeys(("anchor", "near", "far"), pa.array([], pa.int64()))
nasty_parquet("a Parquet file without rows", "empty", **none)

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
quoted = [["ape", '"b"', "c"], ["c", "ape", '"b"']]
odd("quotes between blanks", 'ape "b" c\nc ape "b"\n', quoted, form="triplets")
odd("tabs", NAMES.replace(",", "\t"), TWO)
odd("semicolons", NAMES.replace(",", ";"), TWO)
odd("blanks", NAMES.replace(",", "   "), TWO)
odd("blanks around cells", NAMES.replace(",", " ,  "), TWO)
odd("all in quotes", '"anchor","near","far"\n"ape","bee","cat"\n"cat","ape","bee"\n', TWO)
odd("gzip", gzip.compress(NAMES.encode()), TWO, "answers.csv.gz")
odd("gzipped JSON lines", gzip.compress(ROW.encode() * 2), [["0", "1", "2"]] * 2, "a.jsonl.gz")
odd("floats", IDS.replace("0", "0.0").replace("2", "2.0"), THREE)
far_apart = [[cell.replace("2", "123456789012345678") for cell in row] for row in THREE]
odd("far apart ids", IDS.replace("2", "123456789012345678"), far_apart)
odd("zeros ahead", HEADER + "007,1,2\n7,1,2\n", [["007", "1", "2"], ["7", "1", "2"]])
odd("no header, ids", "0,1,2\n2,0,1\n1,0,2\n", THREE, form="triplets")
odd("no header, names", "ape bee cat\ncat ape bee\n", TWO, form="triplets")
twice = [["a", "b", "a", "c"], ["b", "a", "b", "c"]]
odd("no header, a name in both pairs", "a b a c\nb a b c\n", twice, form="quadruplets")
odd("no header, an id in both pairs", "1,0,1,2\n", [["1", "0", "1", "2"]], form="quadruplets")
odd("columns in another order", "FAR,Anchor, near\ncat,ape,bee\nbee,cat,ape\n", TWO)
odd("columns of no meaning", "n,anchor,near,far,\n1,ape,bee,cat,\n2,cat,ape,bee,\n", TWO)
odd("a column that names nothing twice", "anchor,near,far,,\nape,bee,cat,,\ncat,ape,bee,,\n", TWO)
odd("quoted delimiters", HEADER + '"a, b","c\nd","e ""f"""\n', [["a, b", "c\nd", 'e "f"']])
odd("numbers among names", HEADER + "311,Abba,Cher\n", [["311", "Abba", "Cher"]])
odd("formulas for names", HEADER + "=1+1,@a,+b\n", [["=1+1", "@a", "+b"]])
odd("markup for names", HEADER + "<b>,</script>,&amp;\n", [["<b>", "</script>", "&amp;"]])
odd("emoji", HEADER + "🐒,🐝,👩‍👩‍👧\n", [["🐒", "🐝", "👩‍👩‍👧"]])
odd("names that are words", HEADER + "near,far,odd\n", [["near", "far", "odd"]])
BY_ROW = '{"far": "cat", "anchor": "ape", "near": "bee"}\n\n'
BY_ROW += '{"anchor": "cat", "near": "ape", "far": "bee"}\n'
odd("JSON lines", BY_ROW, TWO, "a.ndjson")
ONES = [["0", "1", "2"]] * 2
by_column = {name: {"0": n, "1": n} for n, name in [(1, "near"), (0, "anchor"), (2, "far")]}
odd("JSON by column, as pandas writes it", json.dumps(by_column), ONES, "answers.json")
columns = dict(zip(("anchor", "near", "far"), zip(*TWO, strict=True), strict=True))
nested = parquet({**columns, "other": [{"a": 1}, {"a": 2}]})
odd("Parquet", nested, TWO, "answers.parquet")
floats = parquet({"anchor": [0.0, 2.0, 1.0], "near": [1.0, 0.0, 0.0], "far": [2, 1, 2]})
odd("floats in Parquet", floats, THREE, "answers.parquet")
