// What lessons are without a page: with it a program can do all that a learner does.
export { RulesModule } from '../engine'
export { startStep, judgeAnswer, LessonSession } from './lesson'
