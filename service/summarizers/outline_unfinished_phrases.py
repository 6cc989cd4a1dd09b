"""The phrases by which agents tell what is unfinished: untried, not merged, blocked, only proposed or drafted."""

import regex

from service.summarizers.outline_phrases import alternatives

_DONE_TO_IT = r"(run|ran|tested|verified|merged|deployed|pushed|committed|published|applied|released|built|executed)"
_NOT = r"( not|n't)( yet| been| actually| fully| be)*"
_CHANGE = r"(it|this|that|these|they|none|changes?|fix|code|branch|work|tests?|feature|migration|pr|patch|commit)"
UNPROVEN = regex.compile(
    alternatives(
        rf"""
        \b(i|we)( have|'ve)?( not|n't| never)( yet| been able to| actually)* {_DONE_TO_IT}\b
        \b(i|we) (did|could|can|was|were)( not|n't| never)( yet| able to| actually)* (run|test|verif|build)\w*
        \b(i|we)('m| am| are| were| was)? unable to (run|test|verify|build|execute|try)\b
        \b{_CHANGE}\b.{{0,30}}\b(?<!\bthat )(is|are|was|were|has|have|did){_NOT} {_DONE_TO_IT}\b
        \bnothing (is|was|has been|got) {_DONE_TO_IT}\b
        \b{_CHANGE}\b.{{0,20}}\bun(tested|verified|merged|committed)\b
        \bnot (yet )?(been )?{_DONE_TO_IT}( yet)?([.!]?$| [–—-]) | \b(still|yet) to be {_DONE_TO_IT}\b
        \bremains? untested\b
        \b(is|are) still (needed|missing|pending|outstanding)[.!]?$
        \bstill needs? (a |to be |manual )?(run|test|verif|merg|deploy|review)\w*
        \bnicht (getestet|ausgeführt|gemergt|gemerged|geprüft|deployt|gepusht|verifiziert)\b | \bungetestet\b
        \bpas (encore )?(été )?(testé|exécuté|fusionné|déployé|vérifié|lancé)e?s?\b
        \bno (se )?(ha|han|he|está|están) (sido )?(probad|ejecutad|fusionad|desplegad|verificad)\w* | \bsin probar\b
        \bnão (foi|foram|está|testei|executei) ?(testad|executad|mesclad|implantad|verificad)?\w*
        \bне (протестирова|запус[кт]|запущен|провер|смерж|задепло|слит)\w*
        (还没有?|尚未|未经?)(运行|测试|验证|合并|部署|提交)
        (実行|テスト|検証|マージ|デプロイ|動作確認)[はを]?(まだ)?(して|できて|行って|されて)いません
        未(実行|検証|テスト|確認)
        아직 ?(실행|테스트|검증|병합|배포)
        """
    ),
    regex.IGNORECASE,
)

# What was said not to be out stays so until something is pushed.
NOT_OUT = regex.compile(
    alternatives(
        r"""
        (\bnot|n't)( yet| been)* (pushed|merged|deployed|released|published) | \bun(pushed|merged|released|published)\b
        \bnicht (gepusht|gemergt|gemerged|deployt|veröffentlicht)\b | \bне (запуш|смерж|задепло|опубликова)\w*
        \bpas (encore )?(été )?(poussé|fusionné|déployé|publié)
        \bno (se )?(ha|está) (sido )?(fusionad|desplegad|publicad)
        (还没有?|尚未|未)(推送|合并|部署|发布) | (プッシュ|マージ|デプロイ)(は|を)?(まだ)?(して|されて)いません
        """
    ),
    regex.IGNORECASE,
)

_NO_FINDING = r"(?!.{0,14}\b(find|see|spot|think)\b)"
BLOCKER = regex.compile(
    alternatives(
        rf"""
        \bi('m| am) (unable|not able) to | \bi (can'?t|cannot|could not|couldn'?t|was not able to)\b{_NO_FINDING}
        \bi do(n'?t| not) (currently )?have (access|permission|credentials|a tool|the (rights|permissions?|credentials))
        \b(is|are|am|i'm|we're|currently|still) blocked\b | ^block(ed|ers?)\b | ^error: | \bwaiting (for|on) (?!you)
        \bstill (fails?|failing|broken|red|crashes|crashing)\b
        \b(tests?|checks?|builds?) (is|are) (now |still )?(failing|red)\b
        \b[1-9]\d*( of \d+)?( \w+)? (is |are )?(still )?(fails?|failed|failing|failures?)\b
        \b(blockiert|kann ich (leider )?nicht|konnte ich (leider )?nicht|schl(ägt|agen) (immer )?noch fehl)\b
        \b(bloquée?s?|je ne peux pas|je n'ai pas pu|échouent? (encore|toujours))\b
        \b(bloquead[oa]s?|no pude|sigue(n)? fallando|não consigo|não consegui|continua(m)? falhando)\b
        \b(заблокирован\w*|не удалось|(вс[её] ещё|по-прежнему) (пада|не проход)\w*|не проход[ия]т)\b
        被阻塞 | 无法(访问|继续|完成|运行|连接) | (仍然?|还是)失败 | ブロックされ | 失敗しました | 失敗してい?ます
        막혀 | 여전히 실패
        """
    ),
    regex.IGNORECASE,
)

# "This is the plan", "I recommend the second": where nothing was changed, the person is to decide.
PROPOSAL = regex.compile(
    alternatives(
        r"""
        \b(i('d| would)?|we) (strongly |personally )?(recommend|suggest|propose|lean|go with)
        \bi'd (fix|start|begin|do|use|keep|take|pick|choose|address|try)\b
        \bmy (recommendation|pick|suggestion)\b
        ^(recommend|propos)\w* | \b(the|my|this|a) ((proposed|suggested|implementation|migration) )?(plan|proposal)\b
        \b(empfehl|vorschlag|recommand|je propose|recomiend|propongo|propuesta|recomend|proponho|proposta)\w*
        \bschlage .{0,60}\bvor\b
        \b(рекоменд|советую|предлагаю)\w* | 推奨 | おすすめ | 提案 | 计划如下 | 建议 | 推荐 | 추천 | 권장 | 제안
        """
    ),
    regex.IGNORECASE,
)

DRAFT_LEAD = regex.compile(
    alternatives(
        r"""
        \b(draft|description|message|template|e-?mail|text|announcement|post|reply|version|summary|comment|title|body)\b
        \b(entwurf|vorschlag|nachricht|brouillon|borrador|mensaje|rascunho|mensagem)\b
        \b(черновик|сообщени[ея]|письмо|описание)\b
        草稿 | 草案 | 正文 | 邮件 | 下書き | 文面 | 文案 | 초안 | 메일
        """
    ),
    regex.IGNORECASE,
)
