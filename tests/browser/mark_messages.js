// Puts every text in a part of the page's English catalogue between ⟦ and ⟧, except drawn suits. It is appended to that
// part, which defines `SENTENCES`.
/* global SENTENCES */
const text = (words) => words.replace(/[^\s♦♥♠♣]([^♦♥♠♣]*[^\s♦♥♠♣])?/g, (found) => `⟦${found}⟧`)
const sentence = (parts) => (typeof parts === 'string' ? text(parts) : parts.map(element))
const element = (part) => {
  if (typeof part === 'string') return text(part)
  if (part.length !== 3) return part
  return [part[0], part[1].map(([key, chosen]) => [key, sentence(chosen)]), part[2]]
}
export default Object.fromEntries(Object.entries(SENTENCES).map(([id, parts]) => [id, sentence(parts)]))
