// Creation of a table on the server.
import { withRetry, newIdempotencyKey, post, tablesToJoin } from './api'
import type { CommittedResponse, CreateTableRequest, TableCreatedResponse } from './types'

/** Create a table and take the seat `me`. The nonce is drawn after the server has committed to the deals. */
export async function createTable(request: CreateTableRequest): Promise<TableCreatedResponse> {
  const made = await post<TableCreatedResponse>('/api/tables', { ...request, idempotency_key: newIdempotencyKey() })
  if (!request.seats_taken_by?.includes('me')) return made
  tablesToJoin.add(made.id)
  // The page opens the table without waiting for this reply. If the request fails, the table shows the seat as open.
  void withRetry(post<CommittedResponse>(`/api/tables/${made.id}/sit`, { nonce: newIdempotencyKey(), idempotency_key: newIdempotencyKey() }), () => {})
  return made
}
