#!/usr/bin/env python3
"""Trains the model of assets/models/pronoun-encoder, and writes its folder.

The model is a small BERT: three layers with the norm after each sum, learned positions, and the
embeddings once more as output matrix. It restores words of sentences that a grammar of about 270 words
makes up, two in five as in a telegram:

    the animal did not cross the street because it was too tired . so the animal was tired .
    truck near forest could not enter old road since road looked very wide .

Two nouns of different kinds, and a property that only one kind has: it alone tells which noun the
pronoun means. The task is BERT's: of the words that are asked for most are hidden by [MASK], some are
replaced by another word of their kind, some stay, and the model says which word it was. A pronoun, or
the noun that a telegram has in its place, is asked for more often than other words, and replaced by
any pronoun. To know he, she, it or they, and the noun of a telegram, one has to find the noun. Nothing
says where to look; that *it* looks at its noun is learned. Pairs of nouns are kept from training to
test with.

Everything is here and in small_transformer.py beside it: NumPy is all it needs, and nothing is read:

    assets/examples-sources/pronoun_encoder.py

Two things are written: the folder of the model, in half precision, and what this script computes from
these numbers in double precision, tests/core/document/golden/pronoun-encoder.json. The same seed gives
the same numbers with the same NumPy and BLAS; other ones round differently, and what is learned is the
same.
"""

import os
import random
import string
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np

from small_transformer import (Adam, Run, add, block, cross_entropy, embed, gelu, linear, new_weights, norm, rows_of,
                               stored, top, unembed, write_json, write_safetensors)

SEED, STEPS, BATCH, RATE, DECAY = 1, 4500, 32, 3e-3, 0.02
LAYERS, HEADS, WIDTH, UNITS, POSITIONS, EPS = 3, 4, 48, 96, 48, 1e-12

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets/models/pronoun-encoder"
NUMBERS = ROOT / "tests/core/document/golden/pronoun-encoder.json"

# Nouns of a kind, "one/many"; what can be true of each kind, and of no other.
NOUNS = {kind: [noun.split("/") for noun in nouns.split()] for kind, nouns in {
    "woman": "girl/girls woman/women queen/queens mother sister aunt lady/ladies nurse",
    "man": "boy/boys man/men king/kings father brother uncle prince/princes farmer",
    "animal": "animal/animals dog/dogs cat/cats horse/horses cow/cows goat/goats pig donkey rabbit fox bear",
    "place": "street/streets road/roads river/rivers bridge/bridges field/fields hill/hills valley forest lake path "
             "desert park",
    "food": "bread soup apple/apples cake/cakes cheese meat rice pie/pies potato/potatoes cookie/cookies sausage egg/eggs",
    "thing": "trophy/trophies book/books piano sofa lamp/lamps ball/balls toy/toys chair/chairs table statue painting",
    "container": "box/boxes bag/bags suitcase/suitcases basket/baskets drawer/drawers closet chest bucket bottle",
    "vehicle": "car/cars truck/trucks train/trains bus boat/boats ship wagon bicycle plane/planes",
    "tool": "knife/knives saw/saws axe/axes hammer/hammers drill shovel needle",
    "glass": "window/windows vase/vases mirror/mirrors plate/plates bowl jar",
}.items()}
LIVING = ("woman", "man", "animal")
PROPERTIES = {kind: properties.split() for kind, properties in {
    "living": "tired sleepy hungry afraid lazy sick thirsty nervous shy bored",
    "place": "wide deep steep busy muddy dangerous crowded dark icy",
    "food": "salty sweet bitter sour rotten stale spicy raw",
    "thing": "big large thick tall bulky",
    "container": "small tiny shallow full narrow",
    "vehicle": "slow loud fast rusty late",
    "tool": "blunt dull short bent weak",
    "glass": "fragile thin brittle dirty cracked",
}.items()}
# Which kinds do not do what to which.
FRAMES = [(firsts.split(), verbs.split(","), seconds.split()) for firsts, verbs, seconds in (
    ("woman man animal", "cross,enter,leave,like,visit", "place"),
    ("woman man animal", "eat,taste,like,finish", "food"),
    ("woman man animal", "carry,move,push,like", "thing container"),
    ("woman man animal", "catch,follow,like,enter", "vehicle"),
    ("woman man animal", "touch,carry,use,break", "tool glass"),
    ("vehicle", "cross,enter,leave,reach", "place"),
    ("thing food tool glass", "fit in,stay in,fill", "container"),
    ("vehicle", "carry,move", "thing food"),
    ("tool", "cut,break,open", "food thing container"),
    ("tool thing vehicle", "break,hit,touch", "glass"),
)]
LINKS = {False: ["was", "looked", "seemed", "became"], True: ["were", "looked", "seemed", "became"]}  # by: many
PRONOUNS = ["it", "he", "she", "they"]
DEGREES, REASONS, CAN = ["too", "so", "very"], ["because", "since", "as"], ["did", "could", "would"]
PLAIN = "old new red brown black white green blue other first last".split()
NEAR = ["near", "behind", "beside", "with"]
TIMES = [time.split() for time in ("yesterday ,", "today ,", "in the morning ,", "in the evening ,", "at night ,",
                                   "again ,")]


def kind_of(kind):
    """The kind as properties see it."""
    return "living" if kind in LIVING else kind


def pronoun_of(kind, many):
    return "they" if many else {"woman": "she", "man": "he"}.get(kind, "it")


def held_out(a, b):
    """Whether two nouns are kept from standing together in training."""
    return (a, b) == ("animal", "street") or sum(map(ord, a + b)) % 10 == 0


def pairs(held):
    """For each frame the pairs ((kind, noun), (kind, noun)) that are held out, or the others."""
    return [[((k, n), (l, m)) for k in firsts for n in NOUNS[k] for l in seconds for m in NOUNS[l]
             if held_out(n[0], m[0]) == held] for firsts, _, seconds in FRAMES]


# Lists of words that may stand for each other when a word is replaced by another of its kind.
ALIKE = [[word for nouns in NOUNS.values() for noun in nouns for word in noun],
         [word for properties in PROPERTIES.values() for word in properties], PRONOUNS, PLAIN, DEGREES, REASONS, CAN, NEAR]
LIKE = {word: words for words in ALIKE for word in words}


def vocabulary():
    said = {"the", "not", "what", "who", "so", *LIKE, *LINKS[False], *LINKS[True], *sum(TIMES, []),
            *(word for _, verbs, _ in FRAMES for verb in verbs for word in verb.split())} - {","}
    letters = string.ascii_lowercase
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "?", *sorted(said), *letters,
            *("##" + letter for letter in letters)]


WORDS = vocabulary()
NUMBER = {word: i for i, word in enumerate(WORDS)}


class Sentence:
    """Words, and where the pronoun is, the noun that it means (a place each), and what is said of that noun."""

    def __init__(self, words, pronoun, noun, link, property, kind):
        self.words, self.noun, self.link, self.property, self.kind = words, noun, link, property, kind
        self.pronoun_at, self.noun_at = words.index(pronoun), words.index(noun)


class Grammar:
    """Sentences; held: with the pairs of nouns that training does not see."""

    def __init__(self, seed, held=False):
        self.random, self.pairs = random.Random(seed), pairs(held)
        self.choose = self.random.choice

    def chance(self, share):
        return self.random.random() < share

    def nouns(self, both_it):
        """The number of a frame, and two nouns of it (kind, word, whether it is many)."""
        while True:
            frame = self.random.randrange(len(FRAMES))
            found = []
            for kind, noun in self.choose(self.pairs[frame]):
                many = len(noun) > 1 and not both_it and self.chance(0.4)
                found.append((kind, noun[many], many))
            if not both_it or all(pronoun_of(kind, many) == "it" for kind, _, many in found):
                return frame, found

    def phrase(self, word):
        return ["the", self.choose(PLAIN), word] if self.chance(0.25) else ["the", word]

    def beside(self, nouns):
        """A third noun, of a kind that the others are not."""
        others = {kind_of(kind) for kind, _, _ in nouns}
        kind = self.choose([kind for kind in NOUNS if kind_of(kind) not in others])
        return [self.choose(NEAR), "the", self.choose(self.choose(NOUNS[kind]))]

    def sentence(self, both_it=False, short=False):
        """A Sentence; both_it: the pronoun is "it", and would be for the other noun; short: as in a telegram, without
        articles, and with the noun again in place of the pronoun."""
        frame, nouns = self.nouns(both_it)
        kind, noun, many = self.choose(nouns)
        property, link = self.choose(PROPERTIES[kind_of(kind)]), self.choose(LINKS[many])
        pronoun = "X" if short else pronoun_of(kind, many)
        first, second = (self.phrase(word) for _, word, _ in nouns)
        if self.chance(0.25):
            longer = self.choose([first, second])
            longer += self.beside(nouns)
        main = [*first, self.choose(CAN), "not", *self.choose(FRAMES[frame][1]).split(), *second]
        reason = [self.choose(REASONS), pronoun, link, self.choose(DEGREES), property]
        if self.chance(0.15):
            words = [*reason, ",", *main, "."]
        else:
            words = [*(self.choose(TIMES) if self.chance(0.3) else []), *main, *reason, "."]
        if short:
            words = [word for word in words if word != "the"]
        s = Sentence(words, pronoun, noun, link, property, kind_of(kind))
        if short:
            words[s.pronoun_at] = noun
        return s

    def more(self, s):
        """A sentence that names the noun again."""
        who = "who" if s.kind == "living" else "what"
        return self.choose([["so", "the", s.noun, s.link, s.property, "."],
                            ["the", s.noun, s.link, self.choose(DEGREES), s.property, "."],
                            [who, s.link, self.choose(DEGREES), s.property, "?", "the", s.noun, "."]])

    def shown(self, word, is_again):
        """What stands for a word that is asked for: the mask, another word of its kind, or the word. is_again: it is a
        pronoun, or a noun in its place; another word of its kind is a pronoun."""
        chance, mask = self.random.random(), 0.5 if is_again else 0.8
        if chance < mask:
            return "[MASK]"
        return self.choose(PRONOUNS if is_again else LIKE.get(word, [word])) if chance < (1 + mask) / 2 else word

    def sample(self):
        """The words that are shown, those that are wanted (None: not asked for), and the types."""
        s = self.sentence(short=self.chance(0.4))
        words, types = ["[CLS]", *s.words], [0] * (len(s.words) + 1)
        asked = [False] + [self.chance(0.6 if i == s.pronoun_at else 0.12) for i in range(len(s.words))]
        if self.chance(0.6):
            more = self.more(s)
            if self.chance(0.3):  # as the second text of a pair
                words, asked, types = [*words, "[SEP]"], [*asked, False], [*types, 0]
            types += [int(words[-1] == "[SEP]")] * len(more)
            words += more
            asked += [self.chance(0.7 if word == s.noun else 0.12) for word in more]
        wanted = [word if a else None for word, a in zip(words, asked)]
        shown = [self.shown(word, i == s.pronoun_at + 1) if a else word for i, (word, a) in enumerate(zip(words, asked))]
        return [*shown, "[SEP]"], [*wanted, None], [*types, types[-1]]

    def batch(self):
        """Numbers of the words, those wanted (−1: none), and types: (samples, tokens), filled up with [PAD]."""
        samples = [self.sample() for _ in range(BATCH)]
        ids, wanted, types = (np.full((BATCH, max(len(s[0]) for s in samples)), fill) for fill in (0, -1, 0))
        for row, (shown, want, kind) in enumerate(samples):
            ids[row, :len(shown)] = ids_of(shown)
            wanted[row, :len(shown)] = [NUMBER.get(word, -1) for word in want]
            types[row, :len(shown)] = kind
        return ids, wanted, types


def ids_of(words):
    return np.array([NUMBER[word] for word in words])


def forward(weights, ids, types, rows):
    """Logits of these rows of (samples · tokens), and the run."""
    run = Run(weights)
    places = np.broadcast_to(np.arange(ids.shape[1]), ids.shape).reshape(-1)
    x = add(run, embed(run, "words.weight", ids.reshape(-1)), embed(run, "positions.weight", places))
    x = norm(run, add(run, x, embed(run, "types.weight", types.reshape(-1))), "ln_0", EPS)
    hidden = (ids == NUMBER["[PAD]"])[:, None, None, :]
    for b in range(LAYERS):
        x = block(run, x, b, HEADS, hidden, EPS, pre=False)
    units = gelu(run, linear(run, rows_of(run, x, rows), "transform"), exact=x.value.dtype == np.float64)
    return unembed(run, norm(run, units, "ln_f", EPS), "words.weight", "head.bias"), run


def train():
    weights = new_weights(np.random.default_rng(SEED), {"words.weight": len(WORDS), "positions.weight": POSITIONS,
                                                        "types.weight": 2}, LAYERS, WIDTH, UNITS, ["transform"],
                          ["ln_0", "ln_f"], size=0.1)
    weights["head.bias"] = np.zeros(len(WORDS), np.float32)
    grammar, adam, total = Grammar(SEED), Adam(weights, RATE, DECAY, STEPS), 0
    for step in range(1, STEPS + 1):
        ids, wanted, types = grammar.batch()
        rows = np.flatnonzero(wanted >= 0)
        logits, run = forward(weights, ids, types, rows)
        total += cross_entropy(logits, wanted.reshape(-1)[rows])
        adam.move(weights, run.back())
        if step % 500 == 0:
            m = measured(weights, 200)
            print(f"step {step}: loss {total / 500:.3f}; right are {m['pronoun']:.0%} of the pronouns and {m['noun']:.0%} "
                  f"of the nouns; {m['most'].max():.0%} of 'it' look at their noun in layer {m['layer']}, head {m['head']}",
                  flush=True)
            total = 0
    return weights


def read(weights, words):
    """Logits of every word, and the attention (layers, heads, tokens, tokens), of words between [CLS] and [SEP]."""
    ids = ids_of(["[CLS]", *words, "[SEP]"])[None]
    logits, run = forward(weights, ids, 0 * ids, np.arange(ids.size))
    return logits.value, np.array([attention[0] for attention in run.attention])


def guess(weights, words, at):
    """The likeliest word where a mask stands in place of the word there."""
    logits, _ = read(weights, [*words[:at], "[MASK]", *words[at + 1:]])
    return WORDS[logits[at + 1].argmax()]


def measured(weights, count=1000):
    """How well it does with nouns that training has not seen together: for each head the share of "it" that looks most
    at its noun, and the mean weight; the share of masked pronouns, and of masked nouns named again, that is right."""
    grammar = Grammar(SEED + 1, held=True)
    most, weight, right = np.zeros((LAYERS, HEADS)), np.zeros((LAYERS, HEADS)), np.zeros(2)
    for _ in range(count):
        s = grammar.sentence(both_it=True)
        _, attention = read(weights, s.words)
        rows = attention[:, :, s.pronoun_at + 1]
        most += rows.argmax(-1) == s.noun_at + 1
        weight += rows[:, :, s.noun_at + 1]
        again = [*s.words, "so", "the", s.noun, s.link, s.property, "."]
        right[1] += guess(weights, again, len(s.words) + 2) == s.noun
        s = grammar.sentence()
        right[0] += guess(weights, s.words, s.pronoun_at) == s.words[s.pronoun_at]
    best = np.unravel_index(most.argmax(), most.shape)
    return {"layer": int(best[0]) + 1, "head": int(best[1]) + 1, "most": np.round(most / count, 3),
            "weight": np.round(weight / count, 3), "pronoun": right[0] / count, "noun": right[1] / count}


def tensors(weights):
    """By the names of BERT, with matrices (out, in)."""
    names = {"words": "bert.embeddings.word_embeddings", "positions": "bert.embeddings.position_embeddings",
             "types": "bert.embeddings.token_type_embeddings", "ln_0": "bert.embeddings.LayerNorm",
             "transform": "cls.predictions.transform.dense", "ln_f": "cls.predictions.transform.LayerNorm",
             "head": "cls.predictions"}
    for b in range(LAYERS):
        layer = f"bert.encoder.layer.{b}."
        names |= {f"h.{b}.attn.c_proj": layer + "attention.output.dense",
                  f"h.{b}.ln_1": layer + "attention.output.LayerNorm", f"h.{b}.mlp.c_fc": layer + "intermediate.dense",
                  f"h.{b}.mlp.c_proj": layer + "output.dense", f"h.{b}.ln_2": layer + "output.LayerNorm",
                  **{f"h.{b}.{part}": layer + "attention.self." + part for part in ("query", "key", "value")}}
    result = {}
    for name, numbers in weights.items():
        step, _, kind = name.rpartition(".")
        is_linear = numbers.ndim == 2 and step not in ("words", "positions", "types")
        parts = {step: numbers}
        if step.endswith("c_attn"):
            parts = dict(zip((step[:-len("attn.c_attn")] + part for part in ("query", "key", "value")),
                             np.split(numbers, 3, -1)))
        result |= {f"{names[s]}.{kind}": part.T if is_linear else part for s, part in parts.items()}
    return result


def publish(weights):
    write_json(FOLDER / "config.json", {
        "architectures": ["BertForMaskedLM"], "model_type": "bert",
        "attnscope_note": f"A toy of {len(WORDS) - 60} words, trained for this program: other words become pieces, other "
                          "signs [UNK], and mean nothing to it.",
        "attnscope_text": "the animal did not cross the street because it was too tired .",
        "attention_probs_dropout_prob": 0.0,
        "hidden_act": "gelu", "hidden_dropout_prob": 0.0, "hidden_size": WIDTH, "intermediate_size": UNITS,
        "layer_norm_eps": EPS, "max_position_embeddings": POSITIONS, "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS, "pad_token_id": 0, "position_embedding_type": "absolute",
        "tie_word_embeddings": True, "torch_dtype": "float16", "type_vocab_size": 2, "vocab_size": len(WORDS)})
    write_json(FOLDER / "tokenizer_config.json", {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "strip_accents": None,
        "tokenize_chinese_chars": True, "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]",
        "sep_token": "[SEP]", "mask_token": "[MASK]", "model_max_length": POSITIONS})
    (FOLDER / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    write_safetensors(FOLDER / "model.safetensors", tensors(weights))


SHOWN = [
    "the animal did not cross the street because it was too tired .",
    "the animal did not cross the street because it was too wide .",
    "the trophy did not fit in the suitcase because it was too big .",
    "the trophy did not fit in the suitcase because it was too small .",
    "the truck could not cross the bridge since it looked very slow .",
    "the truck could not cross the bridge since it looked very steep .",
    "the animal did not cross the street because it was too tired . so the [MASK] was tired .",
    "the animal did not cross the street because it was too wide . so the [MASK] was wide .",
    "the girl did not cross the street because [MASK] was too tired .",
    "the girl did not cross the street because [MASK] was too wide .",
]


def numbers(weights):
    """What a test compares: for each text its tokens, the rows of attention of "it", (layers, heads, tokens), or the
    likeliest words for [MASK]; for the first text the attention of all tokens; and sentences of pairs of nouns that
    training has not seen together, with the places of "it" and its noun."""
    texts, asked, grammar = [], [], Grammar(SEED + 2, held=True)
    for text in SHOWN:
        words = text.split()
        logits, attention = read(weights, words)
        tokens = ["[CLS]", *words, "[SEP]"]
        entry = {"text": text, "tokens": tokens, "ids": ids_of(tokens)}
        if "[MASK]" in tokens:
            entry |= {"mask": tokens.index("[MASK]"), "likeliest": top(logits[tokens.index("[MASK]")], WORDS)}
        if "it" in tokens:
            entry |= {"row": tokens.index("it"), "rows": attention[:, :, tokens.index("it")]}
        texts.append(entry)
    for _ in range(100):
        s = grammar.sentence(both_it=True)
        asked.append({"question": "it", "text": " ".join(s.words), "places": {"noun": [s.pronoun_at + 1, s.noun_at + 1]}})
    _, attention = read(weights, SHOWN[0].split())
    write_json(NUMBERS, {"measured": measured(weights), "texts": texts, "asked": asked, "attention": attention})


if __name__ == "__main__":
    publish(trained := train())
    numbers(stored(trained))
