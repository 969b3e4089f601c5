// The tables where it is your turn, which one comes next, and incoming challenges. The tab's title and icon show their
// number.
import { untrack } from 'svelte'
import turnIcon from './icon-turn.svg'
import { route } from '../client/router.svelte'
import type { ChallengeInfo, TurnFeedUpdate, TurnInfo } from '../client/types'
import { playSounds } from '../components/sound'

/** All turns, least remaining time first and those without a clock last; incoming challenges; and the server's clock minus this browser's. */
export const turns = $state({ all: [] as TurnInfo[], challenged: [] as ChallengeInfo[], clockOffsetMs: 0 })

/** Turns that you left without an answer. None is offered again before all others. */
const visited = new Set<string>()
const turnKey = (turn: TurnInfo): string => `${turn.table} ${turn.deadline_ms}`

/** Return the id of the open table. */
export const currentTable = (): string => /^\/table\/([^/]+)$/.exec(route.path)?.[1] ?? ''

/** Return the turns at other tables. */
export const otherTurns = (): TurnInfo[] => turns.all.filter((turn) => turn.table !== currentTable())

/** Return the table to go to next: the one with the least time left among those not just visited. */
export function nextTable(): TurnInfo | undefined {
  const others = otherTurns()
  return others.find((turn) => !visited.has(turnKey(turn))) ?? others[0]
}

/** Handle an update of the turn feed. */
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

/** Show the number in the tab's title, and a mark in its icon. */
function updateTab(): void {
  // Without a clock, the open table is not counted: its page already shows the turn.
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
