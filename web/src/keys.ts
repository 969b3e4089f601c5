// The keyboard: what each key does, for the list behind `?` and for the table.
export const KEYS: [string, string][] = [
  ['← → ↑ ↓', 'move among your cards, or among the piles'],
  ['Enter or Space', 'play the card, press the button'],
  ['1 … 9, 0', 'choose the first … ninth, tenth button, player or card'],
  ['Tab', 'on to the next part of the table'],
  ['H', 'a hint'],
  ['U', 'undo'],
  ['L', 'look at the last trick'],
  ['G', 'open or close the log'],
  ['C', 'write to the table'],
  ['Esc', 'close what is open; do not wait for the trick'],
  ['?', 'this list'],
]

export type Key = 'hint' | 'undo' | 'last' | 'log' | 'chat' | 'escape' | 'help' | number

/** What a pressed key asks for, unless someone is writing. Digits count from 0. */
export function read(event: KeyboardEvent): Key | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  if (event.key === 'Escape') return 'escape'
  const target = event.target as HTMLElement | null
  if (target?.closest('input:not([type=range]), textarea, select')) return null
  if (/^\d$/.test(event.key)) return (Number(event.key) + 9) % 10
  const names: Record<string, Key> = { h: 'hint', u: 'undo', l: 'last', g: 'log', c: 'chat', '?': 'help' }
  return names[event.key.toLowerCase()] ?? null
}

/** Whether the player is using the keyboard: then focus follows the questions. */
export const hands = { onKeys: false }
addEventListener('keydown', () => (hands.onKeys = true), true)
addEventListener('pointerdown', () => (hands.onKeys = false), true)
