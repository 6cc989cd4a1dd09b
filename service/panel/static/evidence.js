// What a claim rests on: the server weighed the facts that tool calls prove against what was said.

const WORDS = {
  confirmed: "confirmed",
  passed: "passed",
  passed_only: "passedOnly",
  contradicted: "contradicted",
  failed: "failed",
  said_only: "saidOnly",
  unverified: "unverified",
};
const FAILED = new Set(["contradicted", "failed"]);
const DOUBTED = new Set(["contradicted", "said_only"]);

/** Whether an intent is said to be verified and nothing shows it, or the opposite. */
export function isDoubted({ proof }) {
  return DOUBTED.has(proof?.word);
}

/** Which sentence of `T.evidence` holds for an intent, and the run it names; null where nothing needs saying. */
export function verdict({ proof }) {
  const word = proof && WORDS[proof.word];
  if (!word) return null;
  const result = FAILED.has(word) ? "failed" : "passed";
  return { word, fact: proof.turn === null ? null : { turn: proof.turn, text: proof.text, result } };
}
