// For each seat, true if its details are visible and not covered.
export const areDetailsVisible = () => [...document.querySelectorAll('.seat .details')].map((node) => {
  const box = node.getBoundingClientRect()
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return getComputedStyle(node).visibility === 'visible' && Boolean(top?.closest('.seat'))
})
