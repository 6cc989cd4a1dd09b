"""The phrases by which agents ask something of the person: requests, orders, questions."""

import regex

from service.summarizers.outline_phrases import alternatives

_SHIPPING = r"(merg|deploy|commit|releas|push|ship|publish)\w*"
_NO_ERRAND = r"(?!(note|see|find|refer|be aware|keep in mind|feel free|don'?t hesitate|let me know if)\b)"
# "You should see a green dot" asks for nothing.
_NO_OUTCOME = r"(?!(now |then |also )?(see|be able|get|notice|have|find|expect|already|always|never|know|worry)\b)"

_YOU = r"(?<!\b(what|which|where|when|if|that|how) )\byou"
_ORDER_FRONT = r"^((also|then|and|just|so|but|note|important)[,:]? )*"

REQUEST = regex.compile(
    alternatives(
        rf"""
        (^|[,;:–—] )please {_NO_ERRAND}\w
        {_YOU}('ll| will| would)? (still |now |first |then |also |just )*(need|have) to {_NO_OUTCOME}\w
        {_YOU}('ll| will)? (must|should|(may|might) (want|need) to|want to) {_NO_OUTCOME}\w
        {_ORDER_FRONT}(make sure|be sure|remember|do(n'?t| not) forget) (to|you|that)\b
        ^before (you )?{_SHIPPING}\b(?!.{{0,60}}, (i|we)\b)
        \b(needs?|have|has|must|should|will|can|want to) .{{0,80}}(?<!\bnot )(manually|by hand)\b
        \bwait(ing)? (for|on) your?\b | \b(awaiting|pending) your\b
        \bready (for (your )?(review|approval|testing)|to (be )?(merged?|deploy(ed)?|ship(ped)?|review(ed)?))\b
        \bi('ll| will)? (still )?need (your|you to|the following|more (info|detail|context)|access|some|a few)\w*
        \b(up to you|your (call|decision|choice))\b
        \b(let me know|tell me) (which|what|whether|when|once|how you|who|where|your)\b
        \bbitte\b(?! beachte) | \b(du musst|sie müssen|müsstest du|musst du|müssen sie|du solltest|sie sollten)\b
        \b(denk(e|en sie)? daran|verg(iss|essen sie) nicht|stell(e|en sie)? sicher|gib (mir )?bescheid|sag mir)\b
        ^(vor|nach) dem (merge|mergen|deploy|deployen|commit|release)\b | \bmanuell\b
        \bveuillez\b | \bmerci de \w | \b(vous devez|tu dois|vous devrez|tu devras|il faut que (tu|vous))\b
        \b(n'oublie[zs]? pas|assure(z-vous|-toi)|pense[zs]? à|(dis|dites)-moi|à la main|manuellement)\b
        \bavant de (fusionner|déployer|merger|commiter)\b
        \bpor favor\b | \b(debes|tienes que|necesitas|deberás|tendrás que|asegúrate|no olvides|recuerda)\b
        \b(a mano|manualmente|dime (si|qué|cuál|cuándo)|antes de (fusionar|desplegar|mesclar|implantar))\b
        \b(você (precisa|deve|tem que)|certifique-se|lembre-se|não (se )?esqueça|me diga)\b
        \b(per favore|ricordati|assicurati)\b
        \bпожалуйста, \w | \b(вам|тебе) .{{0,20}}(нужно|надо|необходимо|следует|потребуется|прид[её]тся)\b
        \b(не забуд(ь|ьте)|убеди(сь|тесь)|жду (вашего|твоего|вашей|твоей|ответа)|вручную)\b
        ^(пришли|сообщи|подтверди|уточни|перезапусти|запусти|проверь|выбери|укажи)(те)?\b
        \bперед (слиянием|мержем|деплоем|релизом)\b
        请(?![问注参放见]) | [你您][还也]?(需要|得|必须|可能需要) | 记得 | 别忘了 | (合并|部署|上线|发布)之?前
        手动 | 等待?[你您]
        ください[。！]?$ | お願い(いた)?します | 忘れずに | (マージ|デプロイ|リリース)する?前に | 手動で
        する必要があります
        (주세요|하세요|바랍니다)[.!]?$ | 하셔야 | 잊지 ?마 | (병합|배포|머지) ?(하기 )?전에 | 수동으로 | กรุณา
        โปรด | อย่าลืม
        """
    ),
    regex.IGNORECASE,
)

# An order in the last lines leaves the last move to the person ("Restart the server.").
_ITS_OBJECT = r"(it|the|your|this|that|these|again|with|out|one|and|either)\b"
ORDER = regex.compile(
    r"(?:(?:then|now|next|just|also|and|finally)[,:]? |to [^,]{3,60}, )*(?:"
    + alternatives(
        rf"""
        (run|re-?run|restart|reload|refresh|redeploy|approve|confirm|verify|double-check|reboot|provide|paste):? \S
        (visit|launch|fire up) \S | open (?!(issues|questions|points|items|tasks|source|pull)\b)\S
        (try|test|check|review|merge|deploy|install|delete|push|send|pick|choose) {_ITS_OBJECT}
        (starte|führe|prüfe|teste|öffne|lösche|installiere) \w
        """
    )
    + ")",
    regex.IGNORECASE,
)

# To do so means that it has not been run, tried, merged or deployed.
HANDS_ON = regex.compile(
    alternatives(
        rf"""
        \b(run|re-?run|test|try|verify|check|restart|reload|refresh|reboot|install|activate|visit|launch|fire up)\b
        \bopen\b.{1, 60}\b(browser|page|app|url|link|site)\b
        \b{_SHIPPING}
        \b(ausführen|testen|teste|prüfen|prüfe|mergen|deployen|starten|starte|installieren)\b
        \b(exécute[rz]?|teste[rz]?|vérifie[rz]?|fusionner|déployer|redémarre[rz]?|installe[rz]?)\b
        \b(ejecut|prueb|prob|verifi|despleg|desplieg|reinici|fusion|execut|test|implant|mescl|instal)\w*
        \b(запуст|перезапуст|провер|протестир|смерж|слия|задепло|установ)\w*
        运行 | 测试 | 验证 | 部署 | 合并 | 重启 | 安装 | 実行 | テスト | 確認 | デプロイ | マージ | 再起動
        インストール
        실행 | 테스트 | 확인 | 배포 | 병합 | 재시작 | 설치
        """
    ),
    regex.IGNORECASE,
)

# A question that is not the last sentence is open where it turns to the person; others are answered at once.
TO_THE_PERSON = regex.compile(
    alternatives(
        r"""
        \b(you|your|(shall|should|do|may|can) (i|we)|want|prefer|ok(ay)?|sound good) \b
        \b(du|dir|dich|ihr|sie|ihnen|soll(en)? (ich|wir)|vous|tu|te|veux|usted|quieres|prefieres|tú|você|prefere|quer)\b
        \b(вы|вас|вам|ты|тебе|тебя|хотите|хочешь|мне)\b | [你您] | ますか | ましょうか | ですか | 까요 | 나요 | 세요
        ไหม
        """
    ),
    regex.IGNORECASE,
)

QUESTIONS_HEADING = regex.compile(
    r"(?:[\p{L}\s]{0,24}\b)?(?:questions?|fragen|preguntas|perguntas|вопрос\w*|decisions? needed)\b"
    r"|问题|質問|確認事項|질문",
    regex.IGNORECASE,
)
