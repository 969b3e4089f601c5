// The published names of the engine. Many of its parts have other names inside Diamonds.
import { LocalGame, Reasons, ReviewEngine, RulesModule, SearchEngine } from '../web/src/engine/index'

export type { Data, Fork, Header, Log, Manifest, Result, Row } from '../web/src/engine/index'
export type { FetchFile as Fetch, GameManifest as GameInfo, HintData as Advice, MessageText as Says, EvaluatedChoice as Weighed } from '../web/src/engine/index'
export type { OpenQuestion as Ask, SearchDecision as Decision, StackedDeck as Stacked } from '../web/src/engine/index'
export type { EffectiveAnswer as Step, JudgedDecision as Judged, ResultBreakdown as Account, WinChances as Chances } from '../web/src/engine/index'
export type { ForecastTask as Moment, ReviewPlan as Plan, ReviewTask as Task } from '../web/src/engine/index'
export { gameOf, newSecret, readRecord, Reasons } from '../web/src/engine/index'
export { EngineError as Refused, LocalGame as OwnGame, ReviewEngine as Judge, RulesModule as Rules, SearchEngine as Mind } from '../web/src/engine/index'
export { answersOf as stepsOf, checkOptions as chosen, effectiveAnswers as standing, resultBreakdowns as accounts, seedBits as bitsOf } from '../web/src/engine/index'
export { answerText as spoken, hintSummary as verdict } from '../web/src/engine/index'

declare module '../web/src/engine/game' {
  interface LocalGame {
    readonly asks: LocalGame['openQuestions']
    readonly seen: LocalGame['botView']
    readonly whole: LocalGame['state']
    readonly again: LocalGame['applyEntry']
    readonly ahead: LocalGame['stateAfter']
    readonly closed: LocalGame['dealEnds']
  }
}
declare module '../web/src/engine/rules' {
  interface RulesModule {
    readonly asked: RulesModule['isAnyoneToAct']
    readonly heard: RulesModule['eventsFor']
    readonly standing: RulesModule['standings']
  }
}
declare module '../web/src/engine/search' {
  interface SearchEngine {
    readonly names: SearchEngine['answerNames']
    readonly think: SearchEngine['search']
  }
}
declare module '../web/src/engine/review' {
  interface ReviewEngine {
    readonly names: ReviewEngine['answerNames']
  }
}
declare module '../web/src/engine/reasons' {
  interface Reasons {
    readonly because: Reasons['list']
  }
}

/** Add the published names to the members of a class. */
function publish<Class extends object>(of: { prototype: Class }, names: Partial<Record<keyof Class, keyof Class>>): void {
  for (const [published, name] of Object.entries(names) as [keyof Class, keyof Class][]) {
    Object.defineProperty(of.prototype, published, {
      get(this: Class) {
        return this[name]
      },
    })
  }
}

publish(LocalGame, { asks: 'openQuestions', seen: 'botView', whole: 'state', again: 'applyEntry', ahead: 'stateAfter', closed: 'dealEnds' })
publish(RulesModule, { asked: 'isAnyoneToAct', heard: 'eventsFor', standing: 'standings' })
publish(SearchEngine, { names: 'answerNames', think: 'search' })
publish(ReviewEngine, { names: 'answerNames' })
publish(Reasons, { because: 'list' })
