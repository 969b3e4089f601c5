// Diagrams in rules pages: components that replace text drawings (cards, suits, piles, seats, steps, pairs).
import { mount, unmount, type Component } from 'svelte'
import { SUITS, SYMBOLS } from '../../components/cards'
import TableDiagram, { type SeatBox } from './TableDiagram.svelte'
import PilesDiagram from './PilesDiagram.svelte'
import StepsDiagram from './StepsDiagram.svelte'
import PairsDiagram from './PairsDiagram.svelte'
import CardExample from './CardExample.svelte'

const CARD_OR_SUIT = /([♦♥♠♣](?: ?(?:\d+|[AJQK])(?![\w+]))?)/
const PILE = /│(.)  ?(\d)│/g // marker and number of cards
const PILE_COUNT = 13

/** Return the named boxes of a drawing, and the caption lines below them. */
function boxesOf(drawing: string): { boxes: SeatBox[]; below: string[] } {
  const boxes: SeatBox[] = []
  const below: string[] = []
  let open: SeatBox[] = []
  for (const [row, line] of drawing.split('\n').entries()) {
    for (const { column, lines } of open) {
      if (line[column] === '│') lines.push(line.slice(column + 1, line.indexOf('│', column + 1)).trim())
    }
    open = open.filter(({ column }) => line[column] !== '└')
    for (const { 1: name, index } of line.matchAll(/┌─+ ([^─]+) ─+┐/g)) open.push({ name: name!, lines: [], row, column: index })
    boxes.push(...open.filter((box) => box.row === row))
    if (!/[│└┌]/.test(line) && line.trim()) below.push(line.trim())
  }
  return { boxes, below }
}

/** Return the component for a text drawing, and its props. */
function drawing(text: string): [Component<any>, Record<string, unknown>] | null {
  const piles = [...text.matchAll(PILE)].map(([, owner, left]) => ({ owner: owner!.trim(), left: Number(left) }))
  if (piles.length === PILE_COUNT) return [PilesDiagram, { piles }]
  const found = boxesOf(text)
  if (found.boxes.length) return [TableDiagram, { ...found }]
  if (text.includes('→')) return [StepsDiagram, { steps: text.split('→').map((step) => step.trim()) }]
  const pairs = [...text.matchAll(/(\w+) \+ (\w+)/g)].map(([, one, other]) => [one, other])
  return pairs.length ? [PairsDiagram, { pairs }] : null
}

/** Replace the drawings of a page; return a function that removes them. */
export function renderDiagrams(page: HTMLElement): () => void {
  const shown: Record<string, any>[] = []
  const put = (what: Component<any>, props: Record<string, unknown>, place = document.createElement('span')): HTMLElement => {
    shown.push(mount(what, { target: place, props }))
    return place
  }
  for (const pre of page.querySelectorAll('pre')) {
    const found = drawing(pre.textContent!)
    if (found) pre.replaceWith(put(...found, document.createElement('div')))
  }
  const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walk.nextNode()) {
    const text = walk.currentNode as Text
    if (CARD_OR_SUIT.test(text.data) && !text.parentElement!.closest('pre')) texts.push(text)
  }
  for (const text of texts) {
    const parts = text.data.split(CARD_OR_SUIT)
    text.replaceWith(
      ...parts.map((part, k) => {
        if (k % 2 === 0) return part
        return put(CardExample, { suit: SUITS.find((suit) => SYMBOLS[suit] === part[0]), rank: part.slice(1).trim() || undefined })
      }),
    )
  }
  return () => shown.forEach((one) => void unmount(one))
}
