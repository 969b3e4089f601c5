// Make all stored mistakes due.
export const makeMistakesDue = () => {
  const stored = JSON.parse(localStorage.getItem('diamonds.mistakes'))
  for (const mistake of stored.mistakes) mistake.due = 0
  localStorage.setItem('diamonds.mistakes', JSON.stringify(stored))
}
