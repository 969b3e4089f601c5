// Cards by name (`D7`, `HK`): parsing, sorting, and text for reading and for screen readers.
import type { Suit } from '../client/types'
import { SYMBOLS, capitalize, t } from '../client/i18n.svelte'

export const SUITS: Suit[] = ['D', 'H', 'S', 'C']
export { SYMBOLS }
const COURT: Record<string, number> = { A: 1, J: 11, Q: 12, K: 13 }

export const suitOf = (card: string): Suit => card[0] as Suit
export const rankOf = (card: string): string => card.slice(1)
export const rankNumber = (card: string): number => COURT[rankOf(card)] ?? Number(rankOf(card))

/** Return the position of a card in the pack. Sets of cards are named in this order. */
export const packOrder = (card: string): number => SUITS.indexOf(suitOf(card)) * 100 + rankNumber(card)

export const isCard = (name: string): boolean => /^[DHSC](\d+|[AJQK])$/.test(name)

export const ascending = (cards: Iterable<string>): string[] => [...cards].sort((a, b) => packOrder(a) - packOrder(b))

export type Sorting = 'suit' | 'suit-down' | 'rank'

/** Sort a hand: by suit with alternating colours, ascending or descending, or by rank. */
export function sorted(cards: readonly string[], how: Sorting): string[] {
  const suits: Suit[] = ['D', 'S', 'H', 'C']
  const bySuit = (card: string) => suits.indexOf(suitOf(card))
  const down = how === 'suit-down' ? -1 : 1
  return [...cards].sort((a, b) =>
    how === 'rank'
      ? rankNumber(a) - rankNumber(b) || bySuit(a) - bySuit(b)
      : bySuit(a) - bySuit(b) || down * (rankNumber(a) - rankNumber(b)),
  )
}

/** Return the spoken name of a card: “7 of hearts”, “king of spades”. */
export const cardText = (card: string): string => t('page-card', { rank: rankOf(card), suit: suitOf(card) })

/** Return the spoken name of a suit or, with `one`, of a single card: “a heart”. */
export const suitText = (suit: Suit, one = false): string => t(one ? 'page-suit-one' : 'page-suit', { suit })

/** Return the printed name of a card: ♦7. Other text is returned unchanged. */
export const cardSymbols = (name: string): string => (isCard(name) ? SYMBOLS[suitOf(name)] + rankOf(name) : name)

// The pattern of a suit after words that make it a single card (“a higher ♦”, “the highest ♦”) or a modifier (“the ♦ trick”),
// unlike “both of your ♦” or “your ♦ are low”.
const ONE_OF_A_SUIT =
  /(\b(?:both (?:of )?)?(?:an?|any|another|attacking|defending|each|every|its|one|which|your)(?: high(?:er)?| lower?)? (?!. (?:are|were|win)\b)|\b(?:highest|one more|1) )?([♦♥♠♣])(?=( (?:tricks?|actions?)\b)?)/gi

/** Return a sentence for screen readers: ♦7 becomes “7 of diamonds”, consecutive cards are separated, and a suit at the start becomes a heading. */
export function screenReaderText(words: string): string {
  const letter = (symbol: string) => SUITS.find((suit) => SYMBOLS[suit] === symbol) as Suit
  return words
    .replace(/([♦♥♠♣])(\d+|[AJQK](?![a-z]))( (?=[♦♥♠♣][\dAJQK]))?/g, (_, suit: string, rank: string, next) => cardText(letter(suit) + rank) + (next ? ', ' : ''))
    .replace(/(^|[.!?] )([♦♥♠♣]) (?=\p{Lu})/gu, (_, before: string, suit: string) => `${before}${capitalize(suitText(letter(suit)))}: `)
    .replace(ONE_OF_A_SUIT, (_, one: string | undefined, suit: string, noun?: string) => (one ?? '') + suitText(letter(suit), Boolean(one ? !/^both/i.test(one) : noun)))
}
