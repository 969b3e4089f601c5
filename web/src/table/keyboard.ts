// Keyboard control of a table. `HelpDialog.svelte` lists the keys.

/** `isActive` is true while the player uses the keyboard. The focus then follows the questions. */
export const keyboardState = { isActive: false }
addEventListener('keydown', () => (keyboardState.isActive = true), true)
addEventListener('pointerdown', () => (keyboardState.isActive = false), true)

const elements = (what: string) => document.querySelectorAll<HTMLElement>(what)
const BUTTONS = '.choices button, button.target'

/** Focus an answer: the card that had the focus, another card, a pile, or else the first button. */
export function focusPrompt(): void {
  const places = ['.hand .card.open[tabindex="0"]', '.hand .card.open', '.spot.open', BUTTONS]
  places.map((place) => elements(place)[0]).find(Boolean)?.focus()
}

/** Handle a key, unless the player is typing; `actions` are those of letters and Escape. */
export function onKey(event: KeyboardEvent, actions: Record<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') return actions.escape?.()
  if ((event.target as Element | null)?.closest('input:not([type=range]), textarea, select')) return
  const action = actions[event.key.toLowerCase()]
  if (action) action()
  else if (/^\d$/.test(event.key)) pressNth((Number(event.key) + 9) % 10)
  else if (event.key.startsWith('Arrow') && document.activeElement === document.body) focusPrompt()
  else return
  event.preventDefault()
}

/** Press the k-th button; without buttons, focus the k-th card. */
function pressNth(k: number): void {
  const buttons = elements(BUTTONS)
  if (buttons.length === 0) {
    const cards = elements('.hand .card')
    return cards[Math.min(k, cards.length - 1)]?.focus()
  }
  buttons[k]?.focus()
  buttons[k]?.click()
}
