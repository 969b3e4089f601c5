// Sentences about suit actions, without suits that the previous sentence has named.
/** Return these sentences; an action drops its suit if the previous sentence has just named it: “Ann wins the ♠ trick. Ann moves …” */
export const withoutRepeatedSuits = (sentences: string[]): string[] =>
  sentences.map((words, k) => (/^[♦♥♠♣] /u.test(words) && k && sentences[k - 1]!.indexOf(words[0]!) > 0 ? words.slice(2) : words))
