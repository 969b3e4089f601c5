// This is the script of a page that has the package in its folder.
import { openEngine } from './node_modules/diamonds-engine/index.js'

const engine = await openEngine()
const game = await engine.start('fourteen', { seats: 3, options: { target: 5 } })
const bots = await Promise.all(['3', 'simple', '1'].map((level) => engine.bot('fourteen', level)))
while (!game.over) {
  const [{ seat, question }] = game.asks()
  game.answer(seat, question, bots[seat](game, seat))
}
document.body.textContent = JSON.stringify(game.toRecord())
