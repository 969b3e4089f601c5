// What a page of rules writes with letters and lines, drawn: cards, suits in their colours, and fields of piles.
import { mount, unmount, type Component } from 'svelte'
import { SUITS, SYMBOLS } from '../parts/cards'
import Piles from './Piles.svelte'
import Sign from './Sign.svelte'

const SIGN = /([♦♥♠♣](?: ?(?:\d+|[AJQK])(?![\w+]))?)/
const PLACE = /│(.)  ?(\d)│/g // whose marker a pile has, and how many cards
const FIELD = 13

/** Draw a whole page; what is returned takes the drawings away. */
export function draw(page: HTMLElement): () => void {
  const shown: Record<string, any>[] = []
  const put = (what: Component<any>, props: Record<string, unknown>, place = document.createElement('span')): HTMLElement => {
    shown.push(mount(what, { target: place, props }))
    return place
  }
  for (const pre of page.querySelectorAll('pre')) {
    const piles = [...pre.textContent!.matchAll(PLACE)].map(([, owner, left]) => ({ owner: owner!.trim(), left: Number(left) }))
    if (piles.length === FIELD) pre.replaceWith(put(Piles, { piles }, document.createElement('div')))
  }
  const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walk.nextNode()) {
    const text = walk.currentNode as Text
    if (SIGN.test(text.data) && !text.parentElement!.closest('pre')) texts.push(text)
  }
  for (const text of texts) {
    const parts = text.data.split(SIGN)
    text.replaceWith(
      ...parts.map((part, k) => {
        if (k % 2 === 0) return part
        return put(Sign, { suit: SUITS.find((suit) => SYMBOLS[suit] === part[0]), rank: part.slice(1).trim() || undefined })
      }),
    )
  }
  return () => shown.forEach((one) => void unmount(one))
}
