// The package `diamonds-engine` in a browser.
import { createOpenEngine, type OpenEngine } from './open'
import { read } from './read.web.js'

export * from '../web/src/engine/index'
export { Engine, type EngineBot, type EngineSource, type OpenEngine, type StartOptions } from './open'

export const openEngine: OpenEngine = createOpenEngine(read)
