// Return the share of differing pixels for each pair of suits, at the size of a suit beside a number.
export const compareSuits = async () => {
  const drawn = {}
  for (const suit of 'DHSC') {
    const path = document.querySelector(`#suit-${suit} path`).getAttribute('d')
    const canvas = new OffscreenCanvas(16, 16).getContext('2d')
    canvas.scale(0.5, 0.5)
    canvas.fill(new Path2D(path))
    drawn[suit] = [...canvas.getImageData(0, 0, 16, 16).data].filter((_, k) => k % 4 === 3)
  }
  const differ = (a, b) => a.reduce((sum, pixel, k) => sum + Math.abs(pixel - b[k]), 0) / a.reduce((sum, pixel, k) => sum + Math.max(pixel, b[k]), 0)
  return ['DH', 'DS', 'DC', 'HS', 'HC', 'SC'].map((pair) => [pair, differ(drawn[pair[0]], drawn[pair[1]])])
}

// Return the ranks and suits that extend beyond their card, overlap its action or are covered by the next card.
export const findCardFaults = () => [...document.querySelectorAll('.hand .card')].flatMap((card) => {
  const box = (node) => node.getBoundingClientRect()
  const [own, rank, suit] = [box(card), box(card.querySelector('.rank')), box(card.querySelector('use:not(.big, .act)'))]
  const act = card.querySelector('.act')
  const rightNeighbours = [...document.querySelectorAll('.hand .card')].map(box).filter(({ x, y }) => Math.abs(y - own.y) < 20 && x > own.x)
  const edge = Math.min(own.right, ...rightNeighbours.map(({ x }) => x))
  const faults = []
  for (const [name, part] of [['rank', rank], ['suit', suit]]) {
    if (part.left < own.left - 0.5 || part.right > edge + 0.5) faults.push(`the ${name} of ${card.dataset.card} ends ${part.right - edge} pixels outside`)
  }
  if (act && suit.bottom > box(act).top + 0.5) faults.push(`the suit of ${card.dataset.card} lies over its action`)
  if (rank.height < own.height * 0.4) faults.push(`the rank of ${card.dataset.card} is only ${rank.height} high`)
  return faults
})
