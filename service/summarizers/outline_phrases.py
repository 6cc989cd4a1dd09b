"""The phrases people open a turn with, by what they do with it; one line or more for each language.

Alternatives stand between ` | ` or on lines of their own. Only languages that put blanks between words need a word's
end behind a phrase, so the others have a list of their own.
"""

import regex

_WORD_END = r"(?![\p{L}\p{M}\p{N}'’])"
_BEFORE = r"[\s\p{P}\p{So}]*"
_BETWEEN = regex.compile(r"\s*\n\s*| \| ")


def alternatives(phrases: str) -> str:
    """The listed phrases as one pattern."""
    return "|".join(_BETWEEN.split(phrases.strip()))


def opening(spaced: str, unspaced: str) -> regex.Pattern[str]:
    """Matches any of the phrases at the front of a text, whatever signs stand before it."""
    return regex.compile(
        f"{_BEFORE}(?:(?:{alternatives(spaced)}){_WORD_END}|(?:{alternatives(unspaced)}))", regex.IGNORECASE
    )


PRAISE = opening(
    r"""
    thanks( (so much|a lot|a bunch|very much))? | thank you( (so much|very much))? | thx | ty | perfect(ly)? | solved
    great( (work|job|stuff))? | awesome | excellent | amazing | nice( (work|one|job))? | cool | lovely | wonderful
    brilliant | beautiful | lgtm | looks (good|great|perfect)( to me)? | that (did|fixed|solved) (it|the trick) | done
    (it|that|this|all|everything)('s| is)? (all )?(works?|working|done|fixed|good)( (now|great|fine|well|again))?
    works( (now|great|fine|well|perfectly|again|for me))? | fixed( it)? | all good
    danke( (dir|schön|sehr))? | vielen dank | perfekt | super | klasse | prima | passt( so)? | toll | erledigt
    (es |das |jetzt )?(funktioniert|klappt|läuft)( (jetzt|wieder|super|alles))? | sieht gut aus
    merci( beaucoup)? | parfait | génial | ça marche | c'est bon
    gracias | perfecto | genial | excelente | (ya )?funciona
    obrigad[oa] | perfeito | ótimo | grazie | perfetto | ottimo
    спасибо( большое)? | отлично | супер | класс | прекрасно | ((всё|теперь) )*(работает|заработало) | готово
    """,
    r"""
    ありがとう(ございま(す|した))? | 助かりました | 完璧(です)? | いいですね | 素晴らしい | 動きました | できました
    谢谢 | 多谢 | 感谢 | 完美 | 太好了 | 很好 | 不错 | 好了 | 可以了 | 搞定
    감사합니다 | 고마워 | 완벽 | 좋네요 | 잘 되네요 | 됐어요
    ขอบคุณ(ครับ|ค่ะ|มาก)* | เยี่ยม | ใช้ได้แล้ว | เรียบร้อย
    """,
)

ASSENT = opening(
    r"""
    y | yes( please)? | yeah | yep | yup | ok(ay)? | sure | right | correct | exactly | agreed | good | fine | got it
    go( (ahead|on|for it))? | continue | proceed | carry on | keep going | do (it|that|so|both|all) | resume | retry
    please( (do|continue|proceed))? | sounds (good|great) | i see | makes sense | hi | hello | hey( there)? | a | b | c
    good (morning|evening) | morning | option \w | \d{1,2} | both | all( of them)? | and | then | so | it | that | now
    the (first|second|third|latter|former)( one)? | (try )?again | let'?s (do (it|that)|go) | hmm+ | no problem
    ja( (bitte|gerne))? | genau | gut | alles klar | mach (das|weiter|mal) | weiter | bitte | los | einverstanden
    hallo | moin | oui | d'accord | bien | vas-y | continue[zr] | allez | bonjour | salut
    s[ií] | vale | claro | adelante | contin[uú]a | bueno | hola | sim | pode | va bene | ciao | procedi
    да | ок | окей | хорошо | давай(те)? | продолжай(те)? | ага | верно | дальше | привет | конечно | угу
    """,
    r"""
    はい | お願い(します)? | 了解(です)? | 続けて(ください)? | そうですね | うん | オーケー | 大丈夫です
    好的? | 可以 | 继续(吧)? | 是的? | 对 | 行 | 嗯 | 没问题 | 你好
    네 | 예 | 좋아요? | 계속(해)?(주세요)? | 응 | 그래 | 안녕하세요
    ครับ | ค่ะ | ใช่ | ต่อเลย | โอเค | ตกลง | ทำเลย | ทำต่อเลย | สวัสดี
    """,
)

CORRECTION = opening(
    r"""
    no(?=\s*[,.!;:–-]|\s*$) | no(pe)?,? (that|it|this|not|you|i|the|don'?t) | nope | wrong | actually | instead | oops
    not (quite|what|like|that|there|working|yet) | that'?s (not|wrong|incorrect) | wait | stop | sorry | careful
    this (isn'?t|is not|is wrong|doesn'?t|does not) | same (error|problem|issue|thing|result) | still
    (hmm,? |now |but |ok(ay)?,? (but )?)?(it|that|this)('s)? (still|does ?n'?o?t|did ?n'?o?t|is ?n'?o?t|keeps|throws)
    (hmm,? |now |but |ok(ay)?,? (but )?)?(it|that|this) (fails?|failed|crash(es|ed)?|broke|breaks)
    you (forgot|missed|broke|removed|deleted|did ?n'?o?t|are wrong|misunderstood|still|should(n'?t| not)? have)
    i (said|meant|told you|did ?n'?o?t (mean|ask)|still (see|get|have)|get) | i('m| am) (still )?(getting|seeing)
    (please )?(undo|revert|roll back)( (that|this|it|the last))? | (it |that )?(does|did) ?n'?o?t (work|help)
    not working | but | why (is|are|do|does|did) (it|that|you|this) | now (i get|it (says|fails|shows|crashes))
    there('?s| is) (still|an error)
    nein | falsch | immer noch | noch immer | nicht (ganz|so) | das (stimmt|ist) (nicht|falsch) | aber | doch | moment
    (es |das )?(geht|funktioniert|klappt) (immer noch |noch |jetzt )?nicht | du hast .{0,30}vergessen | eigentlich
    non | ça ne (marche|fonctionne) (pas|toujours pas) | toujours (pas|la même) | mais | en fait
    no (funciona|es|era) | sigue | todavía | pero | en realidad | não | ainda | mas
    нет | не (работает|так|то|помогло) | неправильно | неверно | вс[её] (ещё|равно) | опять | снова | стоп | подожди
    но | ты забыл
    """,
    r"""
    違い?(ます|う) | いや | いいえ | まだ | やっぱり | そうじゃな | そうではな | 動き?ませ? | 動かな | 直って(い)?な
    不对 | 不是 | 还是 | 错了 | 没有用 | 不行 | 仍然 | 但是 | 又 | 等等
    아니 | 여전히 | 아직 | 안 ?돼 | 그런데도 | ไม่ใช่ | ยัง(ไม่|คง|เหมือน) | ผิด | ไม่ได้
    """,
)

PIVOT = opening(
    r"""
    new (task|topic|feature|thing|issue|problem|question|request) | next( (up|task|thing|item|one|step|issue|topic))?
    (a |(something )?completely |totally )?(different|unrelated) (topic|thing|question|task|issue) | separate(ly)?
    another (thing|topic|task|issue|question|feature|bug) | (let'?s )?(move|moving|switch|switching) (on|over|gears|to)
    (one|two) more things? | unrelated(ly)? | by the way | btw | (let'?s (go|get) )?back to | returning to
    on (another|a different) (note|topic) | change of (plan|topic) | something (else|different) | side ?(note|question)
    now (for|on to|let'?s (move|turn|switch)) | while you'?re at it
    neues thema | neue aufgabe | als nächstes | nächste[sr]? (aufgabe|thema|punkt) | themenwechsel
    noch (etwas|was) (anderes)? | nebenbei | übrigens | zurück zu[mr]? | anderes thema | weiter (mit|zu)
    (noch )?(eine )?andere (sache|frage)
    autre (chose|sujet|question) | ensuite | au fait | passons à | revenons à | nouvelle tâche | prochaine étape
    otra (cosa|tarea|pregunta) | siguiente | por cierto | cambiando de tema | pasemos a | volvamos a | nueva tarea
    outra coisa | próxim[ao] | a propósito | voltando a | un'altra cosa | prossim[ao] | a proposito | torniamo
    новая задача | друг(ая|ой|ое) (задача|вопрос|тема|дело) | следующ(ая|ий|ее)( (задача|вопрос|шаг))? | кстати
    верн[её]мся к | возвращаясь к | перейд[её]м к | ещё (один|одна) (вопрос|задача|вещь)
    """,
    r"""
    次に | 次は | 次の(タスク|作業|課題) | では、?次 | ところで | 別件 | 別の(話|件|タスク) | 話[はが]変わ | さて、
    (それでは)?[^\s。、]{0,12}の(件|話)に戻 | 接下来 | 下一(个|步|项) | 另外 | 另一个 | 换(个|一个)(话题|任务) | 顺便
    回到 | 新(任务|需求|问题) | 다음(으로|은| 작업) | 다른 (건|작업|이야기) | 그건 그렇고
    ต่อไป | เรื่องใหม่ | อีกเรื่อง | เปลี่ยนเรื่อง | กลับมาที่ | งานใหม่
    """,
)

MOVES_ON = opening(
    r"""
    now | then | finally | lastly | jetzt | nun | dann | zum schluss | maintenant | finalement | ahora | por último
    agora | adesso | ora | теперь | наконец | сейчас
    """,
    "では | それでは | 現在 | 今度は | 现在 | 然后 | 最后 | 이제 | 그럼 | ตอนนี้ | ทีนี้",
)

RESUMES = opening(
    r"""
    .{0,40}?(back to|return(ing)? to|picking up|where were we|as (for|to) the|about the .{1,40} (again|from before))
    zurück zu[mr]? | nochmal zu[mr]? | revenons | volvamos | volviendo | voltando | torniamo
    верн[её]мся | возвращаясь | снова про
    """,
    ".{0,20}?(に戻|の続き|の件|回到|继续之前|다시 돌아|กลับมาที่)",
)

# "Push notifications arrive late" orders nothing to be pushed.
_OBJECT = r"(it|this|that|both|all|everything|them|now|please|again|and|to|the (changes|branch|fix|rest))\b"
_NO_OTHER_OBJECT = rf"(?=\s*([\p{{P}}]|$)|\s{_OBJECT})"
_ORDER_FRONT = r"(((can|could) you|please|let'?s|go ahead and|and|then|now) )*"
SHIP = opening(
    rf"""
    {_ORDER_FRONT}(ship|commit|push|merge|release|deploy){_NO_OTHER_OBJECT}
    (open|create|make|raise|submit|send) (a |the )?(pr|pull request|mr|merge request|commit)
    ((bitte|dann|und|jetzt) )?(committe|pushe|mergen|einchecken) | pr (öffnen|erstellen)
    fai[st]? (un |le |il )?(commit|push) | ha[zs] (un )?(commit|push) | sube(lo)? | faça (o )?commit
    (за)?коммить | запушь | сделай (коммит|пуш) | смержи
    """,
    r"""
    コミット(して|お願い|を) | プッシュ(して|お願い) | マージ(して|お願い) | 提交(一下|代码|吧)? | 推送 | 合并(吧|一下)
    커밋(해)? | 푸시(해)? | คอมมิต | พุช
    """,
)

# A remark, a note or a message about the work in hand is part of it, whatever words it is ordered with.
_REMARK = (
    r"(a|the|this|that|it|your|another)( as)?( a)? (review )?(comm?en\w*|remark|reply|pr description|commit message)"
)
FOLLOW_UP = opening(
    rf"""
    {_ORDER_FRONT}(add|post|leave|write|draft|submit|send|put) {_REMARK}
    {_ORDER_FRONT}(post (it|this|that)|(comment|reply) (on|to) (it|this|that|the (pr|issue|thread|review)))
    (kommentiere|antworte) (es|das|darauf) | (schreib|füge) (dazu )?(einen|eine) (kommentar|antwort)
    (ajoute|laisse|écris) un commentaire | (añade|agrega|deja) un comentario | (adicione|deixe) um comentário
    (добавь|оставь|напиши) комментарий
    """,
    "コメントを?(追加|書|投稿) | 添加评论 | 发表?评论 | 写个?评论 | 댓글",
)

DROP = opening(
    r"""
    ((actually|hmm+|no|wait|well|sorry|you know what)[,.]? )*never ?mind | not worth it | leave it | give up
    ((actually|hmm+|no|wait|well|sorry|you know what)[,.]? )*forget (it|that|this|about|the)
    (actually[,.]? )?let'?s (drop|scrap|abandon|forget|not do|skip) (it|that|this|the)
    (drop|scrap|abandon|cancel) (it|that|this)(?= *([,.!;]|$)) | i('ve| have)? changed my mind
    (we|i) (don'?t|do not|no longer) (need|want) (that|this|it)( any ?more)?
    vergiss (es|das) | lass (es|das) (sein|bleiben|weg) | egal | brauchen wir (doch )?nicht | doch nicht
    laisse tomber | oublie | olv[ií]dalo | d[eé]jalo | esquece | lascia perdere | забудь | не надо | отбой | передумал
    """,
    r"""
    やめ(ます|よう|て|ましょう) | 中止 | 取り消し | もういい | 不用了 | 算了 | 取消 | 放弃 | 不做了
    취소 | 그만 | 됐어 | 됐습니다 | ยกเลิก | ช่างมัน | ไม่ต้อง(แล้ว|ทำ)
    """,
)

ASKS = opening(
    r"""
    ((ok(ay)?|so|and|but|hm+|wait),? )?(what|why|how|where|when|which|who|is|are|does|do|did|was|were|has|have|will)
    should | isn'?t | aren'?t | wasn'?t | warum | wieso | was | wie | wo | wann | welche[rs]? | wer | ist | sind | gibt
    pourquoi | comment | quel(le)?s? | où | est-ce | qué | por qué | cómo | dónde | cuál | como | perché
    почему | что | как | где | когда | зачем | как(ой|ая|ие)
    """,
    "なぜ | どうして | 何 | どこ | いつ | 什么 | 为什么 | 怎么 | 哪 | 왜 | 어떻게 | 무엇 | ทำไม | อะไร | อย่างไร",
)
