"""What a story has to say, worked out from all that has happened in a game: every sentence, and no other."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from engine import Event, Option
from engine import events as e
from engine.game import Intent
from tests.handlers.town import NAMES, say

LEFT_UNDONE = {
    "guard.protect": "{} 空守",
    "bodyguard.protect": "{} 没有保护谁",
    "seer.check": "{} 没有查验",
    "girl.peek": "{} 没有偷看",
    "piper.enchant": "{} 没有迷住谁",
    "white_wolf.banish": "{} 没有除掉谁",
    "owl.nominate": "{} 没有点名",
    "hunter.shoot": "{} 没有开枪",
    "thief.look": "{} 没有看房子",
    "wolf.kill": "狼没有出爪",
    "trap.set": "{} 没有放陷阱",
}
DONE = {
    "guard.protect": "{} 守 {}",
    "bodyguard.protect": "{} 保护 {}",
    "witch.poison": "{} 毒 {}",
    "piper.enchant": "{} 迷住 {}",
    "white_wolf.banish": "{} 除掉 {}",
    "owl.nominate": "{} 点名 {}",
    "hunter.shoot": "{} 夜里开枪打 {}",
}
OF_ITS_KIND = {
    "left": "{} 离开",
    "expelled": "{} 被请出",
    "heartbreak": "{} 为 {} 殉情",
    "curse": "{} 随 {} 倒下",
    "shot": "{1} 开枪带走 {0}",
}

THIEF, CUPID, GUARD, SEER = "看了中间的", "结为情侣$", " 守 |空守$", " 验 |没有查验$"
WOLVES, GIRL, WITCH, HUNTER = "^狼刀|^狼空刀$", "偷看|^狼抓走", " 救 | 毒 |没有用药$", " 夜里开枪打 |没有开枪$"
BURGLAR, CLAW = " 看 |没有看房子$|夹住狼爪$", "^狼爪|^狼没有出爪$"
ORDER = {
    "classic": (THIEF, CUPID, GUARD, SEER, WOLVES, GIRL, WITCH, HUNTER),
    "new_moon": (THIEF, CUPID, GUARD, SEER, WOLVES, GIRL, WITCH, "迷住", HUNTER),
    "elder": (CUPID, GUARD, WOLVES, SEER, WITCH, HUNTER),
    "handbook": (THIEF, CUPID, GUARD, WOLVES, SEER, "除掉", WITCH, HUNTER),
    "lupus": (" 得知 ", SEER, "保护", WOLVES, "点名|索命", "模仿"),
    "lupusburg": (BURGLAR, CLAW),
    "lupusburg with the trap": ("^陷阱放在|没有放陷阱$", CLAW, BURGLAR),
}
"""The calls of a night as the books print them, by what is told of them."""


def label(option: Option | None) -> str:
    """A seat or a house as the story names it."""
    number = int(str(option).rstrip("ab"))
    return f"{option} {NAMES[number - 1]}"


def labels(options: Sequence[Option]) -> str:
    return "、".join(label(option) for option in options)


def seen(what: str) -> str:
    known = {"wolf": "狼人", "not_wolf": "不是狼人", "treasure": "有宝箱", "no_treasure": "没有宝箱"}
    return known.get(what) or say(f"role.{what}")


def count_of(ballot: e.BallotClosed) -> str:
    """Who alone has votes has them to nil."""
    count = ":".join(f"{weight:g}" for _, weight in ballot.count)
    return f"{count}:0" if len(ballot.count) == 1 else count


def is_death(events: Sequence[Event]) -> bool:
    """Say whether the owl-man of this game is Death."""
    begun = next((event for event in events if isinstance(event, e.Begun)), None)
    return begun is not None and len(begun.seats) > json.loads(begun.options).get("death_above", len(begun.seats))


def expected(events: Sequence[Event]) -> dict[str, list[str]]:
    """The sentences of each paragraph, in no order."""
    return _Oracle(events).paragraphs


class _Oracle:
    """Goes through a game with its eyes on everything."""

    def __init__(self, events: Sequence[Event]) -> None:
        (ended,) = (event for event in events if isinstance(event, e.Ended))
        self.fates = {fate.seat: fate.fate for fate in ended.result.fates}
        self.death = is_death(events)
        self.paragraphs: dict[str, list[str]] = {}
        self.day, self.night = 0, False
        self.tonight: list[Event] = []
        for number, event in enumerate(events):
            self.go_on(event, events[number + 1 :])

    def add(self, sentence: str) -> None:
        kind = "夜" if self.night else "天"
        header = f"第 {self.day} {kind}" if self.day else "入夜前"
        self.paragraphs.setdefault(header, []).append(sentence)

    def go_on(self, event: Event, rest: Sequence[Event]) -> None:
        self.tonight.append(event)
        match event:
            case e.NightFell():
                self.day, self.night, self.tonight = event.day, True, []
            case e.CandidacyOpened() | e.BallotOpened(action="sheriff.vote") | e.NobodyVotes() if self.night:
                self.left_undone()
                self.night = False
        self.by_night(event)
        self.by_day(event, rest)
        if isinstance(event, e.Fell) and event.occasion == "night":
            self.dawn(event)

    # The night -------------------------------------------------------------------------------------------

    def by_night(self, event: Event) -> None:
        match event:
            case e.Told(occasion="seer.check" | "thief.look" | "medium"):
                (fact,) = event.facts
                verb = {"seer.check": "验", "thief.look": "看", "medium": "得知"}[event.occasion]
                self.add(f"{label(event.seat)} {verb} {label(fact.about)} = {seen(fact.what)}")
            case e.Told(occasion="peek.show" | "mayor.show" | "mayor.inspect" | "broom.look"):
                (fact,) = event.facts
                self.add(f"{label(event.seat)} 看 {label(fact.about)} = {seen(fact.what)}")
            case e.Told(occasion="girl.peek"):
                self.add(f"{label(event.seat)} 偷看，看清了 {label(event.facts[0].about)}")
            case e.Told(occasion="girl.noticed"):
                told = [ev for ev in self.tonight if isinstance(ev, e.Told) and ev.occasion == "girl.noticed"]
                if len(told) == 1:
                    self.add("偷看被发现")
            case e.Became():
                self.add(f"{label(event.seat)} {self.how(event)}，成为{say(f'role.{event.role}')}")
            case e.Linked():
                first, second = event.lovers
                self.add(f"{label(first)} 与 {label(second)} 结为情侣")
            case e.Attacked():
                self.add(f"狼刀 {label(event.seat)}")
            case e.GirlTaken():
                self.add(f"狼抓走 {label(event.seat)}")
            case e.Gathered():
                for intent in event.intents:
                    if intent.answer:
                        self.intent(intent.seat, intent.action, intent.answer)
            case e.TrapSet():
                self.add(f"陷阱放在 {label(event.house)}")
            case e.TrapUsed():
                self.add("盗贼用陷阱夹住狼爪")
            case e.Wounded():
                self.add(f"{label(event.seat)} 挨了一刀没死（剩 {event.lives} 条命）")
            case e.CameBack():
                self.add(f"{label(event.seat)} 回来了")

    def how(self, event: e.Became) -> str:
        """How somebody has come to another role."""
        centre = [ev.facts for ev in self.tonight if isinstance(ev, e.Told) and ev.occasion == "thief.centre"]
        if centre:
            return "看了中间的 " + "、".join(say(f"role.{fact.what}") for fact in centre[-1])
        copied = [intent.answer for intent in self.intents("mythomaniac.copy")]
        return f"模仿 {labels(copied[-1])}" if copied else "没有模仿谁"

    def intent(self, seat: int, action: str, answer: Sequence[Option]) -> None:
        if action in DONE:
            self.add(self.called(DONE[action]).format(label(seat), labels(answer)))
        elif action == "witch.heal":
            (attacked,) = (ev.seat for ev in self.tonight if isinstance(ev, e.Attacked))
            self.add(f"{label(seat)} 救 {label(attacked)}")
        elif action == "wolf.kill":
            trapped = [ev.house for ev in self.tonight if isinstance(ev, e.TrapSet)]
            self.add(f"狼爪伸向 {label(answer[0])}" + ("，被陷阱挡住" if list(answer) == trapped else ""))

    def called(self, sentence: str) -> str:
        """At a large table the owl-man is Death."""
        return sentence.replace("点名", "索命") if self.death else sentence

    def intents(self, *actions: str) -> list[Intent]:
        """What was wanted tonight, if it was anything."""
        return [
            intent
            for ev in self.tonight
            if isinstance(ev, e.Gathered)
            for intent in ev.intents
            if intent.action in actions and intent.answer
        ]

    def left_undone(self) -> None:
        """Who was asked, is still there, and has done nothing."""
        gone = {
            d.seat for ev in self.tonight if isinstance(ev, e.Fell) and ev.occasion != "night" for d in ev.deaths
        }
        told = {(ev.seat, ev.occasion) for ev in self.tonight if isinstance(ev, e.Told)}
        steps = [ev.step for ev in self.tonight if isinstance(ev, e.Opened) and ev.step.kind in ("wave", "turn")]
        asks = [ask for step in steps for ask in step.asks if ask.seat not in gone]
        asked = {(ask.seat, ask.action) for ask in asks}
        traps = [ev for ev in self.tonight if isinstance(ev, e.TrapSet | e.TrapUsed)]
        for seat, action in asked:
            done = (seat, action) in told or any(i.seat == seat for i in self.intents(action))
            done |= action == "trap.set" and any(isinstance(ev, e.TrapSet) for ev in traps)
            done |= action == "thief.look" and any(isinstance(ev, e.TrapUsed) for ev in traps)
            if action in LEFT_UNDONE and not done:
                self.add(self.called(LEFT_UNDONE[action]).format(label(seat)))
        for witch in {seat for seat, action in asked if action.startswith("witch.")}:
            if not self.intents("witch.heal", "witch.poison"):
                self.add(f"{label(witch)} 没有用药")
        hunted = any(action == "wolves.kill" for _, action in asked)
        if hunted and not any(isinstance(ev, e.Attacked | e.GirlTaken) for ev in self.tonight):
            self.add("狼空刀")

    def dawn(self, event: e.Fell) -> None:
        if self.night:
            self.left_undone()
        named = [
            label(death.house)
            if death.house
            else f"{label(death.seat)}（{say(f'fate.{self.fates[death.seat]}')}）"
            for death in event.deaths
        ]
        self.add(f"天亮时死去 {'、'.join(named)}" if named else "天亮时无人死去")
        self.night = False

    # The day ---------------------------------------------------------------------------------------------

    def by_day(self, event: Event, rest: Sequence[Event]) -> None:
        match event:
            case e.BallotClosed(action="vote.lynch" | "vote.verdict"):
                self.ballot(event, rest)
            case e.NobodyVotes():
                self.add("无人能投票")
            case e.SuspectsNamed():
                self.add(f"{labels(event.suspects)} 受审" if event.suspects else "无人受审")
            case e.SuspectsReplaced():
                self.add(f"改由 {labels(event.suspects)} 受审")
            case e.Fell() if event.occasion in OF_ITS_KIND:
                for seat in {death.seat for death in event.deaths}:
                    by = label(event.by) if event.by else ""
                    self.add(OF_ITS_KIND[event.occasion].format(label(seat), by))
            case e.CutShort():
                exploded = [ev for ev in rest if isinstance(ev, e.Fell) and ev.occasion == "explode"]
                end = next(i for i, ev in enumerate(rest) if isinstance(ev, e.NightFell | e.Ended))
                if exploded and exploded[0] in rest[:end]:
                    says = {"": "", "postponed": "，竞选推迟", "destroyed": "，警徽被炸没"}[event.election]
                    # The night's dead are named first; then the paragraph is that day's in any case.
                    self.paragraphs.setdefault(f"第 {self.day} 天", []).append(
                        f"{label(exploded[0].deaths[0].seat)} 自爆{says}"
                    )
            case e.HeldFire():
                asked = [ev.step for ev in self.tonight if isinstance(ev, e.Opened) and ev.step.kind == "reaction"]
                hunter = event.seat or next((ask.seat for ask in asked[-1].asks), 0)
                if hunter:
                    self.add(f"{label(hunter)} 没有开枪")
            case e.CandidatesNamed() if event.seats:
                self.add(f"{labels(event.seats)} 竞选警长")
            case e.Withdrew():
                self.add(f"{label(event.seat)} 退水")
            case e.SheriffElected():
                self.add(f"{label(event.seat)} 当选警长" if event.seat else "没有选出警长")
            case e.BadgePassed():
                self.add(
                    f"{label(event.seat)} 把警徽交给 {label(event.to)}"
                    if event.to
                    else f"{label(event.seat)} 的警徽失传"
                )
            case e.PowersLost():
                self.add(f"{label(event.elder)} 一死，好人的能力全失")
            case e.VotersNamed():
                self.voters(event)
            case e.Warned():
                self.add(f"{label(event.seat)} 第 {event.count} 次被警告")
            case e.GoalSwapped():
                self.add(f"{label(event.seat)} 换得分牌")
            case e.BetPlaced():
                self.add(f"{label(event.seat)} 押 {label(event.on)}（{event.coin}）")
            case e.PrivilegeUsed():
                verb = {"mayor.peek": "偷看 {}", "mayor.inspect": "查验 {}", "mayor.broom": "把扫帚交给 {}"}
                self.add(f"村长 {label(event.seat)} {verb[event.action].format(label(event.target))}")

    def ballot(self, event: e.BallotClosed, rest: Sequence[Event]) -> None:
        """What a ballot leads to happens at once, before anything else dies or is asked."""
        count = count_of(event)
        after = next(ev for ev in rest if isinstance(ev, e.Fell | e.TurnedOver | e.Opened | e.Ended))
        if not event.leaders:
            self.add("没有人投票")
        elif event.again:
            self.add(f"{labels(event.leaders)} 平票 {count}，重投")
        elif isinstance(after, e.TurnedOver):
            assert event.leaders == (after.seat,)
            self.add(f"{label(after.seat)} 被投出 {count}，翻牌是白痴，活了下来")
        elif isinstance(after, e.Fell) and after.occasion == "tie":
            self.add(f"{labels(event.leaders)} 平票 {count}，{label(after.deaths[0].seat)} 替罪")
        elif event.action == "vote.verdict":
            self.add(f"处死 {label(event.leaders[0])} {count}")
        elif len(event.leaders) == 1:
            self.add(f"放逐 {label(event.leaders[0])} {count}")
        else:
            self.add(f"{labels(event.leaders)} 平票 {count}，无人出局")

    def voters(self, event: e.VotersNamed) -> None:
        seat = label(event.seat)
        if not event.barred:
            self.add(f"{seat} 让所有人明天都能投票")
        elif len(event.barred) < len(event.voters):
            self.add(f"{seat} 不让 {labels(event.barred)} 明天投票")
        else:
            self.add(f"{seat} 只让 {labels(event.voters)} 明天投票")


def told(text: str) -> dict[str, list[str]]:
    """The sentences of each paragraph of a story."""
    found = re.findall(r"^(第 \d+ [夜天]|入夜前)：(.*)。$", text, re.MULTILINE)
    assert len({header for header, _ in found}) == len(found)
    return {header: sentences.split("；") for header, sentences in found}


def judge(text: str, events: Sequence[Event]) -> None:
    """Compare a story with all that has happened: nothing is missing, nothing else said, in the book's order."""
    wanted, found = expected(events), told(text)
    assert list(found) == sorted(found, key=list(wanted).index)
    for header in {*wanted, *found}:
        assert Counter(found.get(header, ())) == Counter(wanted.get(header, ())), header
    (started,) = (event for event in events if isinstance(event, e.Started))
    trap = " with the trap" if '"trap":true' in started.differs else ""
    order = ORDER[started.book + trap]
    for header, sentences in found.items():
        if header.endswith("夜"):
            places = [place_of(sentence, order) for sentence in sentences]
            called = places[: places.index(NO_CALL)] if NO_CALL in places else places
            assert called == sorted(called), (header, sentences)
            # What comes after the calls: who left, and what that led to – a hunter may have been asked for it.
            after = [s for s, place in zip(sentences, places, strict=True) if place != NO_CALL][len(called) :]
            assert all(re.search(HUNTER, sentence) for sentence in after), (header, sentences)
            assert "天亮时" in sentences[-1] or not any("天亮时" in sentence for sentence in sentences)
    for fate in next(event for event in events if isinstance(event, e.Ended)).result.fates:
        if fate.fate != "alive" and not fate.homes:
            assert deaths_told(text, fate.seat) == deaths(events, fate.seat) > 0, fate


NO_CALL = 99


def place_of(sentence: str, order: Sequence[str]) -> int:
    """To which call of the night a sentence belongs."""
    return next((place for place, call in enumerate(order) if re.search(call, sentence)), NO_CALL)


def deaths(events: Sequence[Event], seat: int) -> int:
    """How often a seat has died: an idiot may do so twice."""
    return sum(death.seat == seat for ev in events if isinstance(ev, e.Fell) for death in ev.deaths)


def deaths_told(text: str, seat: int) -> int:
    """How often a story says that a seat has died."""
    name = rf"(?<!\d){re.escape(label(seat))}"
    ways = (
        rf"(?:死去 |、){name}（",
        rf"(?:放逐|处死) {name} ",
        rf"带走 {name}(?!\d)",
        rf"{name} 为 .* 殉情",
        rf"{name} 随 .* 倒下",
        rf"{name} 替罪",
        rf"{name} 自爆",
        rf"{name} 离开",
        rf"{name} 被请出",
    )
    sentences = re.split("[；。\n：，]", text)
    return sum(len(re.findall(way, sentence)) for way in ways for sentence in sentences)
