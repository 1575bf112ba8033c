"""Models by name, with options; and the two implementations of each know the same words."""

import re

import pytest

import linpoint as lp
from linpoint.models import SHIPPED, Shipped, catalog, guess, is_native, parse, resolve
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("register", lp.models.Register()),
        ("register:initial=0", lp.models.Register(0)),
        ("register:initial=null", lp.models.Register()),
        ("register: initial = zero", lp.models.Register("zero")),
        ('register:initial="0"', lp.models.Register("0")),
        ("register:initial=[1,[2,3]]", lp.models.Register([1, [2, 3]])),
        ("register:initial=1.5", lp.models.Register(1.5)),
        ("register:initial=a b", lp.models.Register("a b")),
        ("register:initial=10.0.0.1", lp.models.Register("10.0.0.1")),
        ("register:initial=", lp.models.Register("")),
        ("register:initial=NaN", lp.models.Register("NaN")),
        ("cas-register:initial=-1", lp.models.CasRegister(-1)),
        ('multi-register:initial={"x":0,"y":[1,2]}', lp.models.MultiRegister({"x": 0, "y": [1, 2]})),
        ("semaphore:permits=2,bounded=true", lp.models.Semaphore(2, bounded=True)),
        ("priority-queue:order=min,initial=[3,1]", lp.models.PriorityQueue("min", [3, 1])),
        ("queue:initial=[]", lp.models.Queue()),
    ],
)
def test_parse(text, model):
    assert parse(text) == model
    assert parse(str(model)) == model
    assert hash(parse(text)) == hash(model)


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        *(("FIFO", "queue"), ("fifo_queue", "queue"), ("Queue", "queue"), ("LIFO", "stack"), ("Dict", "map")),
        *(("CasRegister", "cas-register"), ("cas_register", "cas-register"), ("CAS REGISTER", "cas-register")),
        *(("PriorityQueue", "priority-queue"), ("KV", "kv"), ("Atomic-Integer", "counter"), ("HeightStack", "height-stack")),
    ],
)  # fmt: skip
def test_finding_25_names_of_models_are_read_as_people_write_them(spelt, name):
    assert parse(spelt) == SHIPPED[name]()
    assert parse(f"{spelt}:").name == name


def test_finding_25_every_name_of_the_table_is_accepted_in_every_spelling():
    for info in catalog():
        for name in (info.name, *info.aliases):
            for spelt in (
                name,
                name.upper(),
                name.replace("-", "_"),
                name.replace("-", " "),
                name.title().replace("-", ""),
            ):
                assert parse(spelt) == SHIPPED[info.name]()
        assert parse(SHIPPED[info.name].__name__) == SHIPPED[info.name](), "the name of its class"


def test_words_for_a_model():
    model = lp.models.Semaphore(2, bounded=True)
    assert (str(model), repr(model)) == ("semaphore:permits=2,bounded=true", "Semaphore(permits=2, bounded=True)")
    assert (str(lp.models.Register()), repr(lp.models.Register())) == ("register", "Register()")
    assert str(lp.models.Register("true")) == 'register:initial="true"'
    assert lp.models.Register(1) != lp.models.Register(True)
    assert lp.models.Register() != lp.models.CasRegister()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("regsiter", "did you mean register?"),
        ("Qeueu", "did you mean queue?"),
        ("fiffo", "did you mean fifo?"),
        ("zzz", "there are register, cas-register"),
        ("register:zero", "name=value"),
        ("register:=0", "name=value"),
        ("register:initail=0", "its options: initial"),
        ("map:initial=0", "its options: none"),
        ("queue:initial=[1,2]x", "expected a comma before 'x'"),
        ("queue:initial=[1,2", "is not JSON"),
    ],
)
def test_parse_refuses(text, words):
    with pytest.raises(lp.LinpointError, match=words):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["queue:initial=5", "kv:initial=5", "counter:initial=a", "semaphore:permits=-1", "semaphore:bounded=1",
     "priority-queue:order=big", "counter:initial=true"],
)  # fmt: skip
def test_options_are_checked(text):
    with pytest.raises(lp.ModelError):
        parse(text)


def test_resolve_takes_what_people_mean():
    class Mine(lp.Model):
        initial = 0

    class Picky(lp.Model):
        initial = 0

        def __init__(self, size):
            self.size = size

    mine = Mine()
    assert resolve(mine) is mine
    assert isinstance(resolve(Mine), Mine)
    assert resolve("register") == lp.models.Register()
    assert resolve(lp.models.Queue) == lp.models.Queue()
    with pytest.raises(lp.ModelError, match="Picky cannot be made without arguments"):
        resolve(Picky)
    for wrong in (7, object):
        with pytest.raises(lp.ModelError, match=r"is not a model: inherit from linpoint\.Model"):
            resolve(wrong)


def test_a_subclass_of_a_shipped_model_is_not_native():
    class Mine(lp.models.Register):
        pass

    assert is_native(lp.models.Register())
    assert not is_native(Mine())


def test_guess():
    history = lp.History([{"process": 0, "f": "enq", "value": 1, "call": 0, "return": 1}])
    found = guess(history)
    assert found.model == lp.models.Queue()
    assert "enq" in found.why
    with pytest.raises(lp.ModelError, match="fly"):
        guess(lp.History([{"process": 0, "f": "fly", "call": 0, "return": 1}]))


def test_both_implementations_have_the_same_names():
    """Rust's catalog and the Python tables were written apart; here they meet."""
    rust = {info.name: {op.name: set(op.synonyms.split(", ")) - {""} for op in info.operations} for info in catalog()}
    python = {
        name: {own: set(row.synonyms.split()) for own, row in model.table.items()} for name, model in SHIPPED.items()
    }
    assert python == rust


def test_both_implementations_have_the_same_options():
    rust = {info.name: {option.name for option in info.options} for info in catalog()}
    python = {name: set(model.__init__.__annotations__) - {"return"} for name, model in SHIPPED.items()}
    assert python == rust


def test_the_reference_names_every_operation():
    text = (ROOT / "docs" / "reference" / "models.md").read_text(encoding="utf-8")
    words = set(re.findall(r"[\w-]+", text))
    missing = [(name, own) for name, model in SHIPPED.items() for own in model.table if own not in words]
    assert missing == []
    assert all(name in words for name in SHIPPED)


def test_every_alias_is_a_model():
    aliases = [alias for info in catalog() for alias in info.aliases]
    assert len(aliases) == len(set(aliases))
    for info in catalog():
        assert all(isinstance(parse(alias), Shipped) and parse(alias).name == info.name for alias in info.aliases)
