// Return the left, top and bottom edges of the lobby's sections.
export const measureSections = () => Object.fromEntries(['play', 'people', 'choose', 'tables', 'me'].map((name) => {
  const { left, top, bottom } = document.querySelector(`main > .${name}`).getBoundingClientRect()
  return [name, { left, top, bottom }]
}))
