// What a claim rests on: the facts that tool calls prove, against what was said.

/** The last passed run after the last edit with no failure still standing, and the last failure that stands. */
export function weigh(evidence) {
  let passed = null;
  let failures = [];
  for (const fact of evidence) {
    if (fact.kind === "edited") passed = null;
    if (fact.kind !== "ran") continue;
    if (fact.result === "failed") {
      passed = null;
      failures = [...failures.filter((other) => other.text !== fact.text), fact];
    } else if (fact.result === "passed") {
      failures = failures.filter((other) => !covers(fact.text, other.text));
      passed = failures.length === 0 ? fact : null;
    }
  }
  return { passed, failed: failures.at(-1) ?? null };
}

/** Whether a run of one command shows what a run of the other showed: the same, or one with a narrower target. */
function covers(run, other) {
  return other === run || other.startsWith(`${run} `);
}

/** Which sentence of `T.evidence` holds for an intent, and the fact it names; null where nothing needs saying. */
export function verdict(intent) {
  const { passed, failed } = weigh(intent.evidence ?? []);
  if (intent.verified === true) {
    if (passed !== null) return { word: "confirmed", fact: passed };
    return failed !== null ? { word: "contradicted", fact: failed } : { word: "saidOnly", fact: null };
  }
  if (failed !== null) return { word: "failed", fact: failed };
  if (passed !== null) return { word: intent.verified === false ? "passedOnly" : "confirmed", fact: passed };
  return intent.verified === false ? { word: "unverified", fact: null } : null;
}
