"""Makes the fonts of tests: boxes for letters, in two families. Needs fonttools and brotli."""

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.TupleVariation import TupleVariation

LETTERS = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
NARROW = " fijlrt"


def box(width, height):
    pen = TTGlyphPen(None)
    pen.moveTo((40, 0))
    pen.lineTo((40, height))
    pen.lineTo((width - 40, height))
    pen.lineTo((width - 40, 0))
    pen.closePath()
    return pen.glyph()


def builder(size, narrow, wide, names, os2, lines):
    names_of = {letter: f"u{ord(letter):04X}" for letter in LETTERS}
    widths = {name: narrow if letter in NARROW else wide for letter, name in names_of.items()}
    widths = {".notdef": wide, **widths}
    empty = TTGlyphPen(None).glyph()
    made = FontBuilder(size, isTTF=True)
    made.setupGlyphOrder(list(widths))
    made.setupCharacterMap({ord(letter): name for letter, name in names_of.items()})
    glyphs = {name: box(width, size // 2) for name, width in widths.items()}
    glyphs[names_of[" "]] = empty
    made.setupGlyf(glyphs)
    made.setupHorizontalMetrics({name: (width, 40) for name, width in widths.items()})
    ascent, descent, gap = lines
    made.setupHorizontalHeader(ascent=ascent, descent=descent, lineGap=gap)
    made.setupNameTable(names)
    made.setupOS2(sTypoAscender=ascent, sTypoDescender=descent, sTypoLineGap=gap, **os2)
    made.setupPost()
    made.font["head"].created = made.font["head"].modified = 3_800_000_000
    return made


def save(made, name):
    made.font.recalcTimestamp = False
    made.font.flavor = "woff2"
    made.save(Path(__file__).parent / name)


serif = builder(
    2000, 600, 1200, {"familyName": "Proof: Serif; }", "styleName": "Bold Italic"},
    {"usWeightClass": 700, "fsSelection": 0x21}, (1800, -500, 100),
)
serif.font["head"].macStyle = 3
serif.font["OS/2"].panose.bFamilyType = 2
serif.font["OS/2"].panose.bSerifStyle = 3
save(serif, "serif-bold-italic.woff2")

sans = builder(
    1000, 250, 500,
    {"familyName": "Proof Sans Thin", "styleName": "Regular", "psName": "ProofSans-Thin"},
    {"usWeightClass": 400, "fsSelection": 0x40}, (950, -250, 0),
)
sans.setupFvar([("wght", 100, 400, 900, "Weight")], [])
# At the boldest weight, each letter is 100 units wider.
variations = {}
for name in sans.font.getGlyphOrder():
    is_empty = sans.font["glyf"][name].numberOfContours == 0
    outline = [] if is_empty else [(0, 0), (0, 0), (100, 0), (100, 0)]
    ends = [(0, 0), (100, 0), (0, 0), (0, 0)]
    variations[name] = [TupleVariation({"wght": (0, 1, 1)}, outline + ends)]
sans.setupGvar(variations)
save(sans, "sans-variable.woff2")
