// Positions of the piles of mines: rows of four, five and four, columns counted in half piles (M1).
export const PILE_POSITIONS = Array.from({ length: 13 }, (_, pile) => {
  const row = pile < 4 ? 0 : pile < 9 ? 1 : 2
  const column = row === 0 ? pile * 2 + 1 : row === 1 ? (pile - 4) * 2 : (pile - 9) * 2 + 1
  return { pile, row, column }
})
