// Collect in `window.heard` what a screen reader says of live regions.
export const recordSpeech = () => {
  window.heard = []
  const region = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('[aria-live=polite], [role=status], [role=alert]')
  const text = (node) => node.nodeType === 3 ? node.data
    : node.nodeType === 1 && node.getAttribute('aria-hidden') !== 'true' ? [...node.childNodes].map(text).join('') : ''
  new MutationObserver((list) => {
    for (const change of list) {
      const live = region(change.target)
      const nodes = !live ? [] : live.matches('[role]') ? [live] : change.type === 'characterData' ? [change.target] : [...change.addedNodes]
      for (const node of nodes) {
        const sentence = text(node).replace(/\s+/g, ' ').trim()
        if (sentence) window.heard.push(sentence)
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}
