// Post a chat message from the page; return the status.
export const postHello = (table) => fetch(`/api/tables/${table}/chat`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ text: 'hello', idempotency_key: 'said-once-only' }),
}).then(({ status }) => status)
