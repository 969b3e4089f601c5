// Drop a record on the page as a file.
export const dropRecord = (text) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], 'game.json'))
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}
