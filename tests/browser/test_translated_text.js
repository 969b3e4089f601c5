// Every text and accessible name, except pages rendered by the server.
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
