// Lessons without a user interface, for tests and programs.
export { RulesModule } from '../engine'
export { startStep, judgeAnswer, LessonSession } from './lesson'
