// What lessons are without a page: with it a program can do all that a learner does.
export { Rules } from '../engine'
export { begun, judged, Lesson } from './lesson'
