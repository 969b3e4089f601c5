// The tables where it is your turn, which of them comes next, and incoming challenges. The tab's title and icon show their number.
import { untrack } from 'svelte'
import turnIcon from './icon-turn.svg'
import { route } from '../client/router.svelte'
import type { ChallengeInfo, TurnFeedUpdate, TurnInfo } from '../client/types'
import { playSounds } from '../components/sound'

/** All of them, those first at which least time is left, and those without a clock last; who asks one to play; and the server's time less this browser's. */
export const turns = $state({ all: [] as TurnInfo[], challenged: [] as ChallengeInfo[], clockOffsetMs: 0 })

/** The turns that were looked at and left: none of them comes twice before each other one has come once. */
const visited = new Set<string>()
const turnKey = (turn: TurnInfo): string => `${turn.table} ${turn.deadline_ms}`

/** The table that is open. */
export const currentTable = (): string => /^\/table\/([^/]+)$/.exec(route.path)?.[1] ?? ''

/** Where else it is one's turn. */
export const otherTurns = (): TurnInfo[] => turns.all.filter((turn) => turn.table !== currentTable())

/** The table to go to now: of those that one has not just left, the one with the least time left. */
export function nextTable(): TurnInfo | undefined {
  const others = otherTurns()
  return others.find((turn) => !visited.has(turnKey(turn))) ?? others[0]
}

/** What the server tells. */
export function onTurns(text: string): void {
  const update = JSON.parse(text) as TurnFeedUpdate
  turns.all = update.turns
  for (const one of visited) if (!update.turns.some((turn) => turnKey(turn) === one)) visited.delete(one)
  turns.clockOffsetMs = update.now - Date.now()
  if (update.challenges_in.some((one) => !turns.challenged.some((known) => known.id === one.id))) playSounds([], 'chat')
  turns.challenged = update.challenges_in
}

$effect.root(() => {
  $effect(() => {
    const open = turns.all.find((turn) => turn.table === currentTable())
    if (open) visited.add(turnKey(open))
    untrack(() => {
      const others = otherTurns()
      if (others.every((turn) => visited.has(turnKey(turn)))) for (const turn of others) visited.delete(turnKey(turn))
    })
  })
  $effect(updateTab)
})

/** The tab says how many there are, before whatever else it says, and its icon that there are some. */
function updateTab(): void {
  // Without a clock nothing is said of the table that lies open: it says so itself.
  const number = turns.all.filter((turn) => turn.deadline_ms !== null || turn.table !== currentTable()).length
  const title = document.title.replace(/^\(\d+\) /, '')
  const newTitle = number ? `(${number}) ${title}` : title
  if (document.title !== newTitle) document.title = newTitle
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!
  icon.dataset.usual ??= icon.getAttribute('href')!
  const shownIcon = number ? turnIcon : icon.dataset.usual
  if (icon.getAttribute('href') !== shownIcon) icon.href = shownIcon
}
new MutationObserver(() => untrack(updateTab)).observe(document.querySelector('title')!, { childList: true })
