// Return the name and position of each section, in reading order.
export const readSections = () => [...document.querySelectorAll('main > *')].map((part) => {
  const { x, y } = part.getBoundingClientRect()
  return [part.className.split(' ')[0], Math.round(x), Math.round(y)]
})

// Return the text of a QR code in a picture, dark on light as a phone's camera expects it.
export const readQr = async (picture) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]))
  const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')
  drawing.drawImage(image, 0, 0)
  const { data, width, height } = drawing.getImageData(0, 0, image.width, image.height)
  return window.jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
}

export const forgetFirstGame = () => {
  if (!localStorage.welcomed) { localStorage.welcomed = 1; localStorage.removeItem('diamonds.played') }
}

export const measureBoxes = () => [...document.querySelectorAll('.play > :not(svg, .ways), .now, .tables, .choose, .me')].map((part) => {
  const { left, top, right, bottom } = part.getBoundingClientRect()
  return [part.className.split(' ')[0], left, top, right, bottom]
})
