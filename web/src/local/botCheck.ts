// Answers of bots in a finished game, recomputed from their views (docs/records.md), as in `diamonds verify --bots`.
import { LocalGame, readRecord, type Row, type RulesModule } from '../engine'
import type { RunJob } from './jobs'

/** The number of recomputed answers, and those that differ: entry number, entry, and the recomputed answer. */
export interface BotCheck {
  number: number
  differences: { n: number; line: string; found: string }[]
  /** True if the record names another version of the bots. */
  hasOtherBots: boolean
}

interface BotAnswer {
  n: number
  line: string
  seat: number
  level: string
  view: Row
  bits: bigint
  answers: (number | string)[]
}

const LEVEL = /^([1-5]|simple)$/

/** Return all answers of bots in a game, with the views from which they were given. Answers before a fork may have been given by others. */
function botAnswers(played: LocalGame, format: string): BotAnswer[] {
  const { rules, header, entries, secret, nonces } = played
  const again = new LocalGame(rules, { ...header, secret, nonces }, format)
  const holders = [...header.seated]
  const found: BotAnswer[] = []
  entries.forEach((line, n) => {
    const [who, what, value, , substitute] = line.split(' ') as [string, string, string, string?, string?]
    const seat = Number(who)
    const level = substitute ?? holders[seat]!.replace('bot:', '')
    if (what === 'seat') holders[seat] = value
    else if (what !== 'undo' && what !== 'timeout' && n >= (header.fork?.n ?? 0) && LEVEL.test(level)) {
      const { answers } = rules.info.questions[rules.question(again.state)]!
      found.push({ n, line, seat, level, view: again.botView(seat), bits: again.botBits(seat), answers })
    }
    again.applyEntry(line, 0)
  })
  return found
}

/** Recompute the answers of bots in a record with several workers. Throw an `EngineError` if the record does not fit the rules. */
export async function checkBots(record: unknown, rules: RulesModule, format: string, { runners, end }: { runners: RunJob[]; end: () => void }): Promise<BotCheck> {
  try {
    return await compareAnswers(readRecord(record, rules, format), format, runners)
  } finally {
    end()
  }
}

async function compareAnswers(played: LocalGame, format: string, runners: RunJob[]): Promise<BotCheck> {
  const { rules } = played
  const asked = botAnswers(played, format)
  const differences: BotCheck['differences'] = []
  let next = 0
  const work = async (run: RunJob): Promise<void> => {
    for (let one = asked[next++]; one; one = asked[next++]) {
      const { n, line, seat, level, view, bits, answers } = one
      const found = answers[await run('think', rules.name, view, seat, level, bits)]
      const [, question, given] = line.split(' ')
      if (String(found) !== given) differences.push({ n, line, found: `${question} ${found}` })
    }
  }
  await Promise.all(runners.map(work))
  const { bots } = played.header
  return { number: asked.length, differences: differences.sort((one, other) => one.n - other.n), hasOtherBots: Boolean(bots) && bots !== rules.info.thinking?.bots }
}
