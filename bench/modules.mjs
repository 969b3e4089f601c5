// Measure random playouts and decisions of level 5 by modules in Node; print one line of JSON per measurement. Run by
// bench/modules.py: node modules.mjs < TASKS
import { readFileSync } from 'node:fs'

const used = () => process.cpuUsage().user / 1e6

/** Load a module; return its memory, and functions to allocate, write and call. */
async function open({ path, free }) {
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {})
  const { memory, settle, ...offered } = instance.exports
  let at = free
  const room = (numbers) => {
    const found = (at + 31) & ~31
    at = found + 8 * numbers
    if (at > memory.buffer.byteLength) memory.grow(Math.ceil((at - memory.buffer.byteLength) / 65536))
    return found
  }
  const failed = room(2)
  const call = (name, ...values) => {
    settle((at + 31) & ~31)
    if (offered[name](failed, failed + 8, ...values)) throw new Error(name)
  }
  const put = (Kind, values) => {
    const found = room(values.length)
    new Kind(memory.buffer, found, values.length).set(values)
    return found
  }
  return { memory, room, call, put }
}

const tasks = {
  /** Play games from one position; return CPU seconds and the number of answers. */
  async playouts({ module, row, games, warm, bits }) {
    const { memory, room, call, put } = await open(module)
    const [at, scores, out] = [put(BigInt64Array, row.map(BigInt)), room(6), room(1)]
    call('playouts', at, BigInt(warm), BigInt.asIntN(64, BigInt(bits)), scores, out)
    const before = used()
    call('playouts', at, BigInt(games), BigInt.asIntN(64, BigInt(bits)), scores, out)
    return { seconds: used() - before, plies: Number(new BigInt64Array(memory.buffer, out, 1)[0]) }
  },
  /** Make decisions one after the other; return CPU seconds, wall seconds and the answer of each. */
  async decisions({ module, learned, effort, candidates, questions }) {
    const { memory, room, call, put } = await open(module)
    const known = put(Uint8Array, learned ? readFileSync(learned) : [])
    const [at, hard] = [room(questions[0].row.length), put(Float64Array, effort)]
    const [found, worth, tried, out] = [room(candidates), room(candidates), room(candidates), room(3)]
    const one = ({ row, seat, bits }) => {
      new BigInt64Array(memory.buffer, at, row.length).set(row.map(BigInt))
      const [cpu, clock] = [used(), performance.now()]
      call('think', at, BigInt(seat), hard, known, 0n, BigInt.asIntN(64, BigInt(bits)), found, worth, tried, out)
      return { cpu: used() - cpu, clock: (performance.now() - clock) / 1000, answer: Number(new BigInt64Array(memory.buffer, out, 3)[2]) }
    }
    questions.slice(0, 10).forEach(one)
    return questions.map(one)
  },
}

for (const line of readFileSync(0, 'utf-8').trim().split('\n')) {
  const { task, ...values } = JSON.parse(line)
  console.log(JSON.stringify(await tasks[task](values)))
}
