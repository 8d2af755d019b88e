#!/usr/bin/env python3
"""Trains the model of assets/models/stories-decoder, and writes its folder.

The model is a small GPT-2: layers with the norm before each part, learned positions, and the embeddings
once more as output matrix. It says the next word of stories that a grammar makes up:

    hungry tom miller went to the river . ann baker was tired . tom miller sang . who was tired ? ann baker .
    the keys to the cabinet are old . the key near the cabinets was green .
    ann river tom red ann river tom red ann river tom red

Most words cannot be known, but some can from the words before: the surname of a name that was there,
whether *is* or *are* follows, who was tired, and any word of a list that comes again. These weigh ten
times as much as the others. The training begins with lists alone, goes on with short stories, in which
at first the state stands before the name and half of the questions have no mark, and then has all; a
second round has more surnames. Without the easy beginning it never learned who was tired. Nothing says
where to look. Pairs of words are kept from training to test with: a name and a surname, a name and a state, two
nouns of one phrase.

Everything is here, in small_transformer.py, and, for some of the words, in pronoun_encoder.py beside
it: NumPy is all it needs, and nothing is read:

    assets/examples-sources/stories_decoder.py

Two things are written: the folder of the model, in half precision, and what this script computes from
these numbers in double precision, tests/core/document/golden/stories-decoder.json.
"""

import functools
import os
import random
import string
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np

from pronoun_encoder import NOUNS, PLAIN, PROPERTIES
from small_transformer import (Adam, Run, add, block, cross_entropy, embed, new_weights, norm, stored, top, unembed,
                               write_json, write_safetensors)

SEED, BATCH, RATE, DECAY = 1, 32, 4e-3, 0.02
ROUNDS = [(2400, 3000, RATE), (700, 1000, RATE / 2)]  # steps, those after which the rate would be 0, and the highest rate
LISTS, EARLY, SHORT = 700, 1000, 1300  # until these steps there are lists alone, easy stories, short sentences
LAYERS, HEADS, WIDTH, UNITS, POSITIONS, EPS = 3, 4, 64, 128, 64, 1e-5

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets/models/stories-decoder"
NUMBERS = ROOT / "tests/core/document/golden/stories-decoder.json"

NAMES = ("tom ann ben eva sam mia max zoe leo ida jon amy tim lea dan may bob sue jim kate paul rose mark jane "
         "fred nora hugo vera").split()
SURNAMES = ("miller baker smith cook hall stone king young reed ward gray wood fox hill lane bell fisher carter "
            "mason turner potter weaver cooper parker").split()
STATES, PLACES = PROPERTIES["living"], [noun[0] for noun in NOUNS["place"]]
THINGS = [noun.split("/") for noun in "key/keys cabinet/cabinets door/doors flower/flowers picture/pictures".split()]
THINGS += [noun for kind, nouns in NOUNS.items() if kind not in ("woman", "man", "food") for noun in nouns if len(noun) > 1]
BETWEEN = ["to", "near", "behind", "beside", "with"]
VERBS = [["is", "was"], ["are", "were"]]  # by: many
GOES = ["went to the", "ran to the", "slept in the", "slept", "sang", "left"]


@functools.cache
def held_out(a, b):
    """Whether two words are kept from standing together in training."""
    return {a, b} == {"key", "cabinet"} or sum(map(ord, a + b)) % 10 == 0


def vocabulary():
    said = {"the", "who", *NAMES, *SURNAMES, *STATES, *PLACES, *BETWEEN, *PLAIN, *sum(VERBS, []), *sum(THINGS, []),
            *" ".join(GOES).split()}
    letters = string.ascii_lowercase
    return ["<s>", "<unk>", ".", ",", "?", *sorted(said), *letters, *("##" + letter for letter in letters)]


WORDS = vocabulary()
NUMBER = {word: i for i, word in enumerate(WORDS)}
SAID, PEOPLE = WORDS[5:-52], NAMES + SURNAMES + STATES


class Story:
    """Words, and which of them can be known from those before; held: with the pairs that training does not see; again:
    for the second round, with more surnames."""

    def __init__(self, seed, held=False, again=False):
        self.random, self.held, self.again = random.Random(seed), held, again
        self.choose = self.random.choice
        self.begin()

    def begin(self):
        self.words, self.known = ["<s>"], [False]

    def say(self, words, known=False):
        words = words.split() if isinstance(words, str) else words
        self.words += words
        self.known += [known] * len(words)
        return len(self.words) - 1

    def matched(self, a, bs):
        """One of bs that may stand with a."""
        return self.choose([b for b in bs if held_out(a, b) == self.held] or [None])

    def people(self, count):
        """Names of two words, each with a state."""
        while True:
            found = [(name, self.matched(name, SURNAMES), self.matched(name, STATES))
                     for name in self.random.sample(NAMES, count)]
            if all(len({*words} - {None}) == count for words in zip(*found)):
                return [([name, surname], state) for name, surname, state in found]

    def agreement(self, hard=False):
        """A noun, up to two others behind it, and the verb; hard: the last one is many if the first is not, and one if
        it is. Returns where the noun is, and the verb."""
        things = None
        while not things or None in things:
            things = [self.choose(THINGS)]
            for _ in range(self.choose([1, 1, 2] if hard else [0, 1, 1, 2])):
                noun = self.matched(things[0][0], [thing[0] for thing in THINGS if thing != things[0]])
                things.append(next((thing for thing in THINGS if thing[0] == noun), None))
        counts = [self.random.randrange(2) for _ in things]
        if hard:
            counts[-1] = 1 - counts[0]
        noun = self.say(["the", things[0][counts[0]]])
        for thing, many in zip(things[1:], counts[1:]):
            self.say([self.choose(BETWEEN), "the", thing[many]])
        verb = self.say([self.choose(VERBS[counts[0]])], True)
        self.say([self.choose(PLAIN), "."])
        return noun, verb

    def goes(self, kinds=GOES):
        words = self.choose(kinds).split()
        return [*words, *([self.choose(PLACES)] if words[-1] == "the" else []), "."]

    def tell(self, people, parts=2, was=0.5, kinds=GOES):
        """How each of them is: "tom was hungry .", or "hungry tom" and where he goes. Returns where the names are."""
        places = []
        for name, state in people:
            is_was = self.random.random() < was
            places.append(self.say(name[:1] if is_was else [state, name[0]]))
            self.say(name[1:parts])
            self.say(["was", state, "."] if is_was else self.goes(kinds))
        return places

    def repeated(self):
        """Words in a list, four times; mostly such as can be copied in stories."""
        words = PEOPLE if self.random.random() < 0.8 else SAID
        words = self.random.sample(words, self.random.randrange(3, 9))
        for known in (False, True, True, True):
            self.say(words, known)

    def lines(self, step):
        """How some are, what else happens, and who was how. Early ones are in one order, and half of their questions
        have no mark."""
        is_early, is_short = step <= EARLY, step <= SHORT
        if not is_short and self.random.random() < 0.25:
            self.agreement()
        people = self.people(self.choose([3, 4, 5] if is_short else [2, 3, 4]))
        parts = self.choose([1, 2, 2] if self.again else [1, 1, 2])  # of a name
        self.tell(people, parts, 0 if is_early else 0.5, GOES[-3:] if is_short else GOES)
        if not is_short and self.random.random() < (0.5 if self.again else 0.3):
            name = self.choose(people)[0]
            self.say(name[:1])
            self.say(name[1:parts], True)
            self.say(self.goes())
        mark = self.choose([[], ["?"]]) if is_early else ["?"]
        for name, state in self.random.sample(people, len(people)):
            self.say(["who", "was", state, *mark])
            self.say(name[:1], True)
            self.say([*name[1:parts], "."], self.again)

    def sample(self, step):
        self.begin()
        kind = self.random.random()
        if step <= LISTS or (kind < 0.1 and step > SHORT):
            self.repeated()
        elif kind < 0.75 or step <= SHORT:
            self.lines(step)
        else:
            for _ in range(4):
                self.agreement()
        return self.words[:POSITIONS], self.known[:POSITIONS]

    def batch(self, step):
        """Numbers of the words, (samples, tokens), filled up, and how much each weighs in the loss."""
        samples = [self.sample(step) for _ in range(BATCH)]
        ids = np.zeros((BATCH, max(len(words) for words, _ in samples)), int)
        share = np.zeros(ids.shape, np.float32)
        for row, (words, known) in enumerate(samples):
            ids[row, :len(words)] = ids_of(words)
            share[row, :len(words)] = np.where(known, 1, 0.1)
        return ids, share

    # Questions: which words are right next, and by name which weight (query, key) is looked at.

    def ask_pair(self):
        """A pair among other names, surnames and states, and its first word again."""
        words = self.random.sample(PEOPLE, 8)
        at = self.random.randrange(6)
        last = self.say([*words, words[at]])
        return [words[at + 1]], {"copy": (last, at + 2)}

    def ask_name(self):
        """The surname of somebody who was named before."""
        people = self.people(3)
        (name, _), place = self.choose([*zip(people, self.tell(people))])
        return name[1:], {"copy": (self.say(name[:1]), place + 1)}

    def ask_verb(self):
        noun, verb = self.agreement(hard=True)
        right = next(verbs for verbs in VERBS if self.words[verb] in verbs)
        del self.words[verb:]
        return right, {"noun": (verb - 1, noun)}

    def ask_who(self, count, was):
        people = self.people(count)
        (name, state), place = self.choose([*zip(people, self.tell(people, 1, was))])
        last = self.say(["who", "was", state, "?"])
        return name[:1], {"state": (last, last - 1), **({"stop": (last - 1, place + 3)} if was else {})}


QUESTIONS = {"pair": Story.ask_pair, "name": Story.ask_name, "verb": Story.ask_verb,
             **{f"{form} of {n}": lambda story, n=n, was=was: story.ask_who(n, was)
                for was, form in ((0, "hungry tom"), (1, "tom was hungry")) for n in (2, 4)}}


def ids_of(words):
    return np.array([NUMBER[word] for word in words])


def forward(weights, ids):
    """Logits of all rows (samples · tokens), and the run."""
    run, tokens = Run(weights), ids.shape[1]
    places = np.broadcast_to(np.arange(tokens), ids.shape).reshape(-1)
    x = add(run, embed(run, "wte.weight", ids.reshape(-1)), embed(run, "wpe.weight", places))
    hidden = np.broadcast_to(np.triu(np.ones((tokens, tokens), bool), 1), (len(ids), 1, tokens, tokens))
    for b in range(LAYERS):
        x = block(run, x, b, HEADS, hidden, EPS, pre=True)
    return unembed(run, norm(run, x, "ln_f", EPS), "wte.weight"), run


def train():
    weights = new_weights(np.random.default_rng(SEED), {"wte.weight": len(WORDS), "wpe.weight": POSITIONS}, LAYERS, WIDTH,
                          UNITS, norms=["ln_f"], size=0.1)
    step = 0
    for again, (steps, end, rate) in enumerate(ROUNDS):
        story, adam = Story(SEED + 10 * again, again=again), Adam(weights, rate, DECAY, end)
        for step in range(step + 1, step + steps + 1):
            ids, share = story.batch(step)
            logits, run = forward(weights, ids[:, :-1])
            cross_entropy(logits, ids[:, 1:].reshape(-1), share[:, 1:].reshape(-1))
            adam.move(weights, run.back())
            if step % 200 == 0:
                print(f"step {step}: right are", ", ".join(
                    f"{name} {share:.0%}" for name, share in measured(weights, 100)["right"].items()), flush=True)
    return weights


def read(weights, words):
    """Logits of every word, and the attention (layers, heads, tokens, tokens)."""
    logits, run = forward(weights, ids_of(words)[None])
    return logits.value, np.array([attention[0] for attention in run.attention])


def measured(weights, count=1000):
    """How well it does with pairs of words that training has not seen together: the share of each question that is
    right, and for each head the mean weight of what is looked at, and of the token before."""
    right, mean = dict.fromkeys(QUESTIONS, 0), {"before": 0}
    for name, ask in QUESTIONS.items():
        story = Story(SEED + 1, held=True)
        for _ in range(count):
            story.begin()
            words, places = ask(story)
            logits, attention = read(weights, story.words)
            right[name] += WORDS[logits[-1].argmax()] in words
            for look, (query, key) in places.items():
                mean[f"{name}: {look}"] = mean.get(f"{name}: {look}", 0) + attention[:, :, query, key] / count
            mean["before"] += np.diagonal(attention, -1, 2, 3).mean(-1) / count / len(QUESTIONS)
    return {"right": {name: n / count for name, n in right.items()},
            "mean weights": {name: np.round(m, 3) for name, m in mean.items()}}


def tokenizer():
    """Words in lower case, each a token; <s> in front."""
    special = [{"id": i, "content": WORDS[i], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                "special": True} for i in range(2)]
    first = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                           "strip_accents": None, "lowercase": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "TemplateProcessing",
                               "single": [first, {"Sequence": {"id": "A", "type_id": 0}}],
                               "pair": [first, *({"Sequence": {"id": part, "type_id": 0}} for part in "AB")],
                               "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": NUMBER}}


def publish(weights):
    write_json(FOLDER / "config.json", {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2",
        "attnscope_note": f"A toy of {len(WORDS) - 57} words, trained for this program: other words become pieces, other "
                          "signs <unk>, and mean nothing to it.",
        "attnscope_text": SHOWN[0], "activation_function": "gelu_new", "attn_pdrop": 0.0,
        "bos_token_id": 0, "embd_pdrop": 0.0, "eos_token_id": 0, "layer_norm_epsilon": EPS, "n_embd": WIDTH,
        "n_head": HEADS, "n_inner": UNITS, "n_layer": LAYERS, "n_positions": POSITIONS, "resid_pdrop": 0.0,
        "tie_word_embeddings": True, "torch_dtype": "float16", "vocab_size": len(WORDS)})
    write_json(FOLDER / "tokenizer.json", tokenizer())
    write_json(FOLDER / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>",
                                                  "unk_token": "<unk>", "model_max_length": POSITIONS})
    write_safetensors(FOLDER / "model.safetensors", {f"transformer.{name}": w for name, w in weights.items()})


SHOWN = [
    "tom was hungry . ann was tired . who was hungry ?",
    "tom was hungry . ann was tired . who was tired ?",
    "hungry tom miller went to the river . tired ann baker slept . who was tired ? ann",
    "the keys to the cabinet",
    "the key to the cabinets",
    "red river lamp street red river",
]


def numbers(weights):
    """What a test compares: for each text its tokens, the rows of attention of the last one, (layers, heads, tokens), and
    the likeliest words next; for the first text the attention of all tokens; and texts of questions, with the weights
    that are looked at."""
    texts = []
    for text in SHOWN:
        words = ["<s>", *text.split()]
        logits, attention = read(weights, words)
        texts.append({"text": text, "tokens": words, "ids": ids_of(words), "row": len(words) - 1,
                      "rows": attention[:, :, -1], "likeliest": top(logits[-1], WORDS)})
    asked = []
    for name, ask in QUESTIONS.items():
        story = Story(SEED + 2, held=True)
        for _ in range(20):
            story.begin()
            right, places = ask(story)
            asked.append({"question": name, "text": " ".join(story.words[1:]), "right": right, "places": places})
    write_json(NUMBERS, {"measured": measured(weights), "texts": texts, "asked": asked,
                         "attention": read(weights, texts[0]["tokens"])[1]})


if __name__ == "__main__":
    publish(trained := train())
    numbers(stored(trained))
