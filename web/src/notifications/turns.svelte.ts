// The tables at which it is one's turn: which comes next, and that the tab says how many there are. And who asks one to play.
import { untrack } from 'svelte'
import sign from './icon-turn.svg'
import { place } from '../client/router.svelte'
import type { ChallengeInfo, Turn, Turns } from '../client/types'
import { sound } from '../components/sound'

/** All of them, those first at which least time is left, and those without a clock last; who asks one to play; and the house's time less this browser's. */
export const turns = $state({ all: [] as Turn[], challenged: [] as ChallengeInfo[], ahead: 0 })

/** The turns that were looked at and left: none of them comes twice before each other one has come once. */
const seen = new Set<string>()
const called = (turn: Turn): string => `${turn.table} ${turn.until}`

/** The table that is open. */
export const here = (): string => /^\/table\/([^/]+)$/.exec(place.path)?.[1] ?? ''

/** Where else it is one's turn. */
export const elsewhere = (): Turn[] => turns.all.filter((turn) => turn.table !== here())

/** The table to go to now: of those that one has not just left, the one with the least time left. */
export function next(): Turn | undefined {
  const others = elsewhere()
  return others.find((turn) => !seen.has(called(turn))) ?? others[0]
}

/** What the house tells. */
export function heard(text: string): void {
  const told = JSON.parse(text) as Turns
  turns.all = told.turns
  for (const one of seen) if (!told.turns.some((turn) => called(turn) === one)) seen.delete(one)
  turns.ahead = told.now - Date.now()
  if (told.challenged.some((one) => !turns.challenged.some((known) => known.id === one.id))) sound([], 'chat')
  turns.challenged = told.challenged
}

$effect.root(() => {
  $effect(() => {
    const open = turns.all.find((turn) => turn.table === here())
    if (open) seen.add(called(open))
    untrack(() => {
      const others = elsewhere()
      if (others.every((turn) => seen.has(called(turn)))) for (const turn of others) seen.delete(called(turn))
    })
  })
  $effect(mark)
})

/** The tab says how many there are, before whatever else it says, and its icon that there are some. */
function mark(): void {
  // Without a clock nothing is said of the table that lies open: it says so itself.
  const number = turns.all.filter((turn) => turn.until !== null || turn.table !== here()).length
  const title = document.title.replace(/^\(\d+\) /, '')
  const wanted = number ? `(${number}) ${title}` : title
  if (document.title !== wanted) document.title = wanted
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!
  icon.dataset.usual ??= icon.getAttribute('href')!
  const drawn = number ? sign : icon.dataset.usual
  if (icon.getAttribute('href') !== drawn) icon.href = drawn
}
new MutationObserver(() => untrack(mark)).observe(document.querySelector('title')!, { childList: true })
