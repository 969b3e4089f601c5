// Take a course with right and wrong answers. Print the questions, legal answers and replies, one per line. node
// lessons.mjs LESSONS FOLDER COURSE (LESSONS: web/src/lessons/nodeEntry.ts, bundled)
import { readFile } from 'node:fs/promises'

const [script, folder, file] = process.argv.slice(2)
const { judgeAnswer, LessonSession, RulesModule, startStep } = await import(script)
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf-8'))
const course = JSON.parse(await readFile(file, 'utf-8'))
const rules = await RulesModule.open(course.game, manifest, async (name) => new Uint8Array(await readFile(`${folder}/${name}`)))
const say = (what) => console.log(JSON.stringify(what))
const first = (pattern) => pattern.split(' ').slice(0, 2).join(' ')

/** Return the table of a step after correct answers so far, with the others' answers in between. */
function after(k, given) {
  const step = { ...course.steps[k], do: given, brings: [] }
  return startStep({ ...course, steps: [...course.steps.slice(0, k), step, { ...step, at: undefined, do: [], first: [] }] }, k + 1, rules, 'Ann', 'own-1')
}

/** Return the events that follow answers and the others' scripted answers. */
function eventsAfter(k, given) {
  const before = startStep(course, k, rules, 'Ann', 'own-1')
  const step = { ...course.steps[k], do: given, brings: [] }
  const steps = [...course.steps.slice(0, k), step, { ...step, at: undefined, do: [], first: [] }]
  return startStep({ ...course, steps }, k + 1, rules, 'Ann', 'own-1').message(before.n).events.map(({ event }) => event)
}

/** Return the result of every legal answer and, after correct ones, of every next answer. */
function turns(k, given, found) {
  const table = given.length ? after(k, given) : startStep(course, k, rules, 'Ann', 'own-1')
  for (const answer of table.legalAnswers(table.seat)) {
    const come = judgeAnswer(course.steps[k], given, [answer], () => startStep(course, k, rules, 'Ann', 'own-1'))
    found.push({ given, answer, ...come, events: come.how === 'wrong' ? eventsAfter(k, [...given, answer]) : [] })
    if (come.how === 'on') turns(k, [...given, answer], found)
  }
  return found
}

const lesson = new LessonSession(course, rules, 'Ann', () => {}, async () => {})
let latest
let leave = () => {}
const until = async (what) => {
  const end = Date.now() + 60_000
  while (!what()) {
    if (Date.now() > end) throw new Error(`${lesson.step.name}: nothing is asked any more`)
    await new Promise((go) => setTimeout(go, 1))
  }
}
let at = ''
for (const [k, step] of course.steps.entries()) {
  await lesson.begin(k)
  if (lesson.id !== at) {
    leave()
    leave = lesson.listen((message) => (latest = message))
    at = lesson.id
  }
  await until(() => latest.open_question)
  const line = { name: step.name, asks: lesson.feedback, question: latest.open_question.question, turns: turns(k, [], []), new: lesson.isFresh }
  const stages = [] // what the table shows at each feedback, and what has happened since the previous one
  let told = line.new || k === 0 ? null : lesson.table.n
  const stage = () => {
    stages.push({ ...lesson.feedback, data: rules.data(lesson.table.state), events: lesson.table.message(told).events.map(({ event }) => event) })
    told = lesson.table.n
  }
  stage()
  // Each wrong answer at the table gets a reply and changes nothing.
  for (const { answer, why } of line.turns.filter((turn) => turn.how === 'wrong' && !turn.given.length)) {
    const own = () => lesson.table.lines.filter((entry) => entry.startsWith(`${lesson.table.seat} `)).length
    const before = own()
    const refused = await lesson.answer(latest.n, [answer]).then(() => null, (error) => error.id)
    say({ wrong: answer, refused, moved: own() !== before, said: lesson.feedback, why })
  }
  for (const pattern of step.do) {
    await until(() => latest.open_question)
    const { feedback } = lesson
    await lesson.answer(latest.n, [first(pattern)])
    await until(() => lesson.feedback !== feedback || latest.open_question)
    if (lesson.feedback !== feedback) stage()
  }
  await until(() => lesson.feedback.how === 'right')
  Object.assign(line, { stages, right: lesson.feedback })
  line.after = await lesson.answer(latest.n, ['nothing more']).then(() => null, (error) => error.id)
  line.over = lesson.table.over
  line.same = k > 0 && !step.at
  say(line)
}
