// The package `diamonds-engine` in Node.
import { createOpenEngine, type OpenEngine } from './open'
import { read } from './read.node.js'

export * from '../web/src/engine/index'
export { Engine, type EngineBot, type EngineSource, type OpenEngine, type StartOptions } from './open'

export const openEngine: OpenEngine = createOpenEngine(read)
