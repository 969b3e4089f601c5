// Ask a network for answers: one line of JSON on standard input, the answers as JSON on standard output.
// node answers.mjs MODULE FREE < QUESTIONS (see tests/test_policy_network.py and tests/test_mines_network.py)
import { readFileSync } from 'node:fs'

const [module, free] = process.argv.slice(2)
const { weights, questions } = JSON.parse(readFileSync(0, 'utf-8'))
const { instance } = await WebAssembly.instantiate(readFileSync(module), {})
const { memory, settle, answer } = instance.exports
let at = (Number(free) + 31) & ~31
function room(numbers) {
  const found = at
  at = (at + 8 * numbers + 31) & ~31
  if (at > memory.buffer.byteLength) memory.grow(Math.ceil((at - memory.buffer.byteLength) / 65536))
  return found
}
const [failed, row, out, known] = [room(2), room(questions[0].row.length), room(1), room(weights.length)]
new BigInt64Array(memory.buffer, known, weights.length).set(weights.map(BigInt))
const answers = questions.map((question) => {
  new BigInt64Array(memory.buffer, row, question.row.length).set(question.row.map(BigInt))
  settle(at)
  if (answer(failed, failed + 8, row, BigInt(question.seat), BigInt(question.luck), known, out)) throw new Error('answer')
  return Number(new BigInt64Array(memory.buffer, out, 1)[0])
})
console.log(JSON.stringify(answers))
