// Return every text and accessible name, except those of pages rendered by the server.
export const readTexts = () => {
  const texts = [document.title]
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement?.closest('script, style, noscript, symbol, article')) continue
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data)
    else for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']) texts.push(node.getAttribute(name) ?? '')
  }
  return texts
}

// Return the elements outside the window, and the clipped texts other than names.
export const findClippedText = () => [...document.querySelectorAll('body *')].flatMap((node) => {
  const box = node.getBoundingClientRect()
  if (box.width < 3 || node.closest('.unseen, svg, pre, table, dialog, .name, .by, .bar .title')) return []
  const label = `${node.textContent.trim().slice(0, 60)} <${node.localName} ${node.className}>`
  const style = getComputedStyle(node)
  if (style.position !== 'fixed' && (box.right > innerWidth + 1 || box.left < -1)) return [`outside: ${label}`]
  const words = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim())
  const hides = node.matches('.happened span') || style.overflowX !== 'visible' && style.overflowX !== 'auto'
  const more = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 3
  return words && hides && more && !node.matches('input, select, option') ? [`cut: ${label}`] : []
})

// Collect in `window.read` the URLs of replies that the page has processed.
export const recordReadReplies = () => {
  const { json } = Response.prototype
  window.read = []
  Response.prototype.json = async function () {
    const reply = await json.call(this)
    setTimeout(() => window.read.push(this.url))
    return reply
  }
}

// Record in `window.seen` whether German text appears, even for one frame.
export const watchForGerman = () => {
  window.seen = false
  const look = () => (window.seen ||= document.body.innerText.includes('Mach Stiche'))
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
}
