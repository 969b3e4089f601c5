// The keyboard at a table: what each key does there. `Help.svelte` lists them, with the buttons that do the same.
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
