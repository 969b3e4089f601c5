// Creation of a table on the server.
import { withRetry, newIdempotencyKey, post, tablesToJoin } from '../../client/api'
import type { Done, Made } from '../../client/types'

/** Make a table and take the place that is `me`. The nonce is drawn here, when the reply has told the commitment to the deals. */
export async function createTable(wish: { places: string[] }): Promise<Made> {
  const made = await post<Made>('/api/tables', { ...wish, key: newIdempotencyKey() })
  if (!wish.places.includes('me')) return made
  tablesToJoin.add(made.id)
  // While it is on its way the table is opened. Should it be refused, the table says whose seat is open.
  void withRetry(post<Done>(`/api/tables/${made.id}/sit`, { nonce: newIdempotencyKey(), key: newIdempotencyKey() }), () => {})
  return made
}
