"""What feeding an event has changed in a transcript, so that a face draws only that again."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from .items import Item


class Changes(Struct, frozen=True):
    """Ids of items, in the order in which it happened. An item that is both removed and added is another one with the
    same id: take out what is removed first.

    - `added` are new: `TranscriptView.position` says where, and nearly always that is at the end.
    - `changed` were there before. `finished` will not change any more; they may be in one of the others, too.
    - `removed` are items as they were last: an ask that was answered, what a failed attempt had said, or what stands
      on another branch since a prompt was edited or is answered again.
    - `facts` are the names of the fields of `SessionFacts` that changed.
    - `sub_agents` are changes in their transcripts, by session.
    - `is_cut_off`: the subscription has ended, because it was too slow. Come back with `after=view.seq`.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    finished: tuple[str, ...] = ()
    removed: tuple[Item, ...] = ()
    facts: frozenset[str] = frozenset()
    sub_agents: Mapping[str, "Changes"] = {}
    is_cut_off: bool = False

    def __bool__(self) -> bool:
        return self != NOTHING

    def __add__(self, later: "Changes") -> "Changes":
        """Both as one. What was added and removed again is in neither."""
        if later is self or not later:
            return self
        if not self:
            return later
        gone = {item.id for item in later.removed}
        added = (*(id for id in self.added if id not in gone), *later.added)
        # What is gone may be there anew, but not with what was said of it before.
        changed = (*(id for id in self.changed if id not in gone), *later.changed)
        new = set(added)
        return Changes(
            added,
            tuple(dict.fromkeys(id for id in changed if id not in new)),
            (*(id for id in self.finished if id not in gone), *later.finished),
            (*self.removed, *(item for item in later.removed if item.id not in self.added)),
            self.facts | later.facts,
            _together(self.sub_agents, later.sub_agents),
            self.is_cut_off or later.is_cut_off,
        )


NOTHING = Changes()


def joined(changes: Iterable[Changes]) -> Changes:
    """All of them as one, for a face that draws several events in one frame."""
    return sum(changes, NOTHING)


def _together(before: Mapping[str, Changes], later: Mapping[str, Changes]) -> Mapping[str, Changes]:
    return {name: before.get(name, NOTHING) + later.get(name, NOTHING) for name in {**before, **later}}
