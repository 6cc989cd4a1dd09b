"""The phrases agents close with: headings of what is left, offers, pleasantries, narration that states nothing."""

import regex

from service.summarizers.outline_phrases import alternatives

_HEADING_FRONT = r"(?:(?:suggested|recommended|possible|remaining|immediate|the|your|what's)\s+)*"
_HEADING_BEHIND = r"(?:\s*\([^()\n]{0,60}\))?(?![\p{L}\p{N}])"
_HEADING = alternatives(
    r"""
    next (steps?|actions?|tasks?) | to-?\s?do'?s? | remaining (work|tasks?|items?|steps?|issues?) | follow[- ]?ups?
    still (to do|open|missing|left|needed|todo) | open (items?|points?|tasks?|questions?|issues?) | left to do
    what('s| is) (left|next|missing) | outstanding (work|items?|tasks?|issues?) | not (yet )?done( yet)? | action items?
    before (merging|you merge) | you (still )?(need|have) to | things? (left )?to do
    nächste schritte | offene punkte | noch (offen|zu tun) | prochaines? étapes? | reste à faire | à faire
    (próximos|siguientes) pasos | por hacer | próximos passos | prossimi passi | da fare
    следующие шаги | дальнейшие шаги | осталось( сделать)? | что дальше
    """
)
# Alone they head a list of steps; "Next.js" and "Left sidebar" head something else.
_WHOLE_HEADING = alternatives(
    """
    next( up)? | remaining | left | outstanding | pending | offen | ausstehend | verbleibend | pendientes? | pendências
    """
)
_UNSPACED_HEADING = alternatives(
    r"""
    次の(ステップ|作業|手順|対応) | 今後の(予定|作業|対応) | 残(り|って|タスク|作業|件) | 未対応 | 未完了
    下一步 | 后续(步骤|工作|计划)? | 待办(事项)? | 剩余 | 未完成 | 接下来
    다음 단계 | 남은 (작업|일) | 할 일 | ขั้นตอน(ต่อไป|ถัดไป) | สิ่งที่(เหลือ|ต้องทำ) | งานที่เหลือ
    """
)
NEXT_HEADING = regex.compile(
    rf"{_HEADING_FRONT}(?:(?:{_HEADING}){_HEADING_BEHIND}|(?:{_WHOLE_HEADING})\s*$)|(?:{_UNSPACED_HEADING})",
    regex.IGNORECASE,
)

OFFER = regex.compile(
    alternatives(
        r"""
        \bwant me to\b | \bwould you (like|prefer) (me|that i|it if)\b | \b(shall|should) i\b | \bhappy to\b
        \b(let me know|tell me)\b.{0,60}\b(i (can|could|will|should)|i'll|me to)\b | \bsay the word\b
        \blet me know if you('d| would)? (like|want|prefer)\b | \bi (can|could) .{0,120}\bif you('d)? (like|want|wish)\b
        \bif you('d)? (like|want|wish).{0,20}\bi (can|could|will)\b
        \bsoll ich\b | \bmöchtest du,? dass ich\b | \bwenn du (willst|möchtest)\b
        \b(voulez-vous|veux-tu) que je\b | \bsouhaites-tu\b | \bquieres que\b | \bte gustar[ií]a que\b
        \bquer que eu\b | \bvuoi che\b
        \b(хотите|хочешь),? чтобы я\b | \bмне (сделать|добавить|продолжить)\b | \bмогу (также )?\w+,? если\b
        (しましょうか|しますか|いたしましょうか|進めますか) | (需要|要)我 | 要不要 | 是否需要
        할까요 | 드릴까요 | 원하시면 | ให้(ผม|ฉัน|ดิฉัน).{0,80}(ไหม|หรือไม่)
        """
    ),
    regex.IGNORECASE,
)

PLEASANTRY = regex.compile(
    alternatives(
        r"""
        \b(any|some)thing else\b | \bany (other )?questions\b | \bhow can i help\b | \bwhat('s| is) next\b
        \bmake sense\b
        \blet me know (if|how) (you (have|need|run|hit|see|encounter)|it|that|there|this|anything)\b
        \bwhat would you like (to (do|work|tackle)|me to do)\b | \bnoch etwas\b | \bsonst noch\b | \bautre chose\b
        \balgo más\b | \bчто-нибудь ещё\b | 他に(何か|も) | 还有(什么|其他) | 还需要(什么|其他) | 다른 (것|도움)
        """
    ),
    regex.IGNORECASE,
)

CHOICE = regex.compile(
    alternatives(
        r"""
        \b(options?|alternatives?|choices?|either|could|would|should|can|might|ways|approaches|plan|questions?)\b
        \b(suggest|recommend|propos)\w* | \b(möglichkeiten|optionen|vorschläge)\b | \bkönn\w+ | \b(опци|вариант)\w+
        \bможно\b | \bopciones\b | \bpropuesta\b | 選択肢 | 案 | 方案 | 选项 | 建议 | 방법 | ตัวเลือก
        """
    ),
    regex.IGNORECASE,
)

_NARRATION = alternatives(
    r"""
    let me | let's | i'?ll | i will | i'?m (going|about|now) | i (need|want|have) to | i( can)? (see|understand|notice)
    looking at | checking | reading | waiting | here('s| is| are) | you'?re (right|welcome) | sorry | apologies | thanks
    good (catch|point|question|idea) | great (question|idea|point) | thank you | sure | certainly | of course
    absolutely | understood | got it | i apologi[sz]e | glad
    ich (werde|schaue|sehe|prüfe|muss) | lass mich | gerne? | alles klar | verstanden | du hast recht | hier (ist|sind)
    je vais | laisse | voici | bien sûr | d'accord | voy a | déjame | aquí (está|tienes) | claro | vou | deixe-me
    сейчас я | давайте | я (посмотрю|проверю|сейчас|вижу) | конечно | понял | вот | рад
    """
)
_UNSPACED_NARRATION = alternatives(
    r"""
    承知 | 了解 | わかりました | 分かりました | 確認します | まず | どういたしまして | ありがとうございます
    好的 | 明白 | 当然 | 让我 | 我来 | 我先 | 不客气 | 我会 | 네, | 알겠습니다 | ขอ | ได้เลย | ยินดี
    """
)
NARRATION = regex.compile(
    r"\W*(?:(?:now|ok(?:ay)?|first|next|so|perfect|great|good|alright|and|then)[,.!:]?\s+)*"
    rf"(?:(?:{_NARRATION})(?![\p{{L}}\p{{N}}])|(?:{_UNSPACED_NARRATION}))",
    regex.IGNORECASE,
)
