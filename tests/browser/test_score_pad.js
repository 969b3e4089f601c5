// Return the rows of the open score pad.
export const readPad = () => [...document.querySelectorAll('dialog table tr')].map((row) =>
  [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim()))
