// The draft of a new match: the last one in this browser, limited to what the server offers.
import type { CreateMatchRequest } from '../client/types'
import { loadSetting, saveSetting } from '../components/settings.svelte'
import { TableDraft } from '../pages/new-table/tableDraft.svelte'

const DEFAULT_LEVEL = '3'

interface MatchChoice {
  deals: number
  /** The largest number of people. */
  size: number
}

export class MatchDraft extends TableDraft {
  match: MatchChoice = $state({ deals: 4, size: 24, ...loadSetting<Partial<MatchChoice>>('match-size', {}) })

  /** Change the choice, and store it apart from the choice for an ordinary table. */
  override choose = (change: Partial<TableDraft['choice']>): void => {
    Object.assign(this.choice, change)
    saveSetting('match', this.choice)
  }

  constructor() {
    super()
    Object.assign(this.choice, { level: DEFAULT_LEVEL, ...loadSetting<object>('match', {}) })
  }

  chooseMatch(change: Partial<MatchChoice>): void {
    Object.assign(this.match, change)
    saveSetting('match-size', this.match)
  }

  get matchRequest(): CreateMatchRequest {
    const { game, seats, options, bot_speed } = this.request
    return { game, seats, options, bot_speed, level: this.level || null, time_control: this.clock, ...this.match }
  }
}
