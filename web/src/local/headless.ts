// What tables of one's own are without a page: with it a program can do all that a page does.
export { RulesModule } from '../engine'
export { jobHandlers } from './jobs'
export { LocalServer } from './localServer'
export { MemoryStore } from './storage'
export { LocalTable } from './localTable'
