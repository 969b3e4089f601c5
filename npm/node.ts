// Entry point of the package `diamonds-engine` in Node.
import { opener, type Open } from './open'
import { read } from './read.node.js'

export * from './publicNames'
export { Engine, type Bot, type From, type Open, type Start } from './open'

export const openEngine: Open = opener(read)
