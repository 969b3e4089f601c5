// The keyboard: what each key does, and the button that does the same, for the list behind `?` and for the table.
export const KEYS: [string, string, string?][] = [
  ['← → ↑ ↓', 'move among your cards, or among the piles'],
  ['Enter or Space', 'play the card, press the button'],
  ['1 … 9, 0', 'choose the first … ninth, tenth button, player or card'],
  ['Tab', 'on to the next part of the table'],
  ['H', 'a hint', 'hint'],
  ['U', 'undo', 'undo'],
  ['L', 'look at the last trick', 'last'],
  ['G', 'open or close the log', 'log'],
  ['C', 'write to the table'],
  ['Esc', 'close what is open; do not wait for the trick'],
  ['?', 'this list'],
]

/** Whether the player is using the keyboard: then focus follows the questions. */
export const hands = { onKeys: false }
addEventListener('keydown', () => (hands.onKeys = true), true)
addEventListener('pointerdown', () => (hands.onKeys = false), true)

const all = (what: string) => document.querySelectorAll<HTMLElement>(what)
const BUTTONS = '.choices button, button.target'

/** Put the keyboard on what can be answered: the card it was on, another card, a pile, else the first button. */
export function focusAsked(): void {
  const places = ['.hand .card.open[tabindex="0"]', '.hand .card.open', '.spot.open', BUTTONS]
  places.map((place) => all(place)[0]).find(Boolean)?.focus()
}

/** Do what a pressed key asks for, unless someone is writing; `deeds` says what the letters and Escape do here. */
export function obey(event: KeyboardEvent, deeds: Record<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') return deeds.escape?.()
  if ((event.target as Element | null)?.closest('input:not([type=range]), textarea, select')) return
  const deed = deeds[event.key.toLowerCase()]
  if (deed) deed()
  else if (/^\d$/.test(event.key)) press((Number(event.key) + 9) % 10)
  else if (event.key.startsWith('Arrow') && document.activeElement === document.body) focusAsked()
  else return
  event.preventDefault()
}

/** The k-th button is pressed; where there are none, the k-th card gets the focus. */
function press(k: number): void {
  const buttons = all(BUTTONS)
  if (buttons.length === 0) {
    const cards = all('.hand .card')
    return cards[Math.min(k, cards.length - 1)]?.focus()
  }
  buttons[k]?.focus()
  buttons[k]?.click()
}
