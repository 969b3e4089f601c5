// Local tables without a user interface, for tests and programs.
export { RulesModule } from '../engine'
export { jobHandlers } from './jobs'
export { LocalServer } from './localServer'
export { MemoryStore } from './localTableStore'
export { LocalTable } from './localTable'
