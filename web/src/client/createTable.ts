// Creation of a table on the server.
import { withRetry, newIdempotencyKey, post, tablesToJoin } from './api'
import type { CommittedResponse, CreateTableRequest, TableCreatedResponse } from './types'

/** Make a table and take the place that is `me`. The nonce is drawn here, when the reply has told the commitment to the deals. */
export async function createTable(request: CreateTableRequest): Promise<TableCreatedResponse> {
  const made = await post<TableCreatedResponse>('/api/tables', { ...request, idempotency_key: newIdempotencyKey() })
  if (!request.seats_taken_by?.includes('me')) return made
  tablesToJoin.add(made.id)
  // While it is on its way the table is opened. Should it be refused, the table says whose seat is open.
  void withRetry(post<CommittedResponse>(`/api/tables/${made.id}/sit`, { nonce: newIdempotencyKey(), idempotency_key: newIdempotencyKey() }), () => {})
  return made
}
