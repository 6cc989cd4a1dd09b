"""Names of URL parameters, by what their values are."""

import re

from service.domain.redact_rules.tree import words

SIGNING = re.compile(
    r"(?:x-(?:amz|goog|oss|ms)-.*|sig|signature|se|sp|sv|sr|policy|key-pair-id|hdnts|token"
    r"|access_token|id_token|code|expires|awsaccesskeyid|key|api_?key|apikey|appid|auth)"
)
# Names that say the value is loot, and names that take anything.
OPEN_NAMES = frozenset(
    words("""
    data d exfil exfiltrate payload leak dump steal stolen loot secret secrets creds credentials env keys
    conversation history context memory transcript cookies cookie contents content chat stuff keylog prompt
    system_prompt b64 base64 blob note notes
""")
)
SHORT_NAMES = (
    frozenset("abcdefghijklmnopqrstuvwxyz")
    | OPEN_NAMES
    | frozenset(
        words("""
    enc encoded body msg message out output result log logs info text report event user pw pass password session
    file files input summary answer
""")
    )
)
ASKING_NAMES = frozenset(
    words("""
    q query search s k keyword keywords title subject term terms name address location place filter label labels
    sort text quote caption body description message hl
""")
)
PAGING_NAMES = frozenset(
    words("""
    cursor after before page pagetoken page_token nexttoken next_token next continuation continuationtoken
    starting_after state nonce code_challenge samlrequest relaystate return returnto return_to returnurl
    redirect redirect_uri redirect_url url next_url gclid fbclid msclkid dclid wbraid gbraid _ga _gl igshid
    mc_eid mc_cid _hsenc _hsmi mkt_tok utm_source utm_medium utm_campaign utm_content utm_term utm_id ref ref_
    si feature ved ei sxsrf vsrid sca_esv gs_lcp client_id etag rev hash sha commit v #
""")
)
# Names of what counts visits and versions: nothing there needs to be encoded.
COUNTING_NAMES = frozenset(
    words("""
    utm_source utm_medium utm_campaign utm_content utm_term utm_id ref ref_ feature v rev
""")
)
# Names under which people share text, and names of a user with a password.
TELLING_NAMES = frozenset(words("text body message description title caption quote subject msg"))
PERSONAL_NAMES = frozenset(words("ssn cc ccn card cardnumber card_number pan iban cvv otp pin dob passport"))
PAIR_NAMES = frozenset(words("creds credentials login userpass auth_pair account user_pass up cred"))
