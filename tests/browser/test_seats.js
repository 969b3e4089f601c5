// Collect in `window.told` the commitments that reach the page, and in `window.sat` those known when it takes a seat.
export const recordStream = () => {
  window.told = []
  const Source = window.EventSource
  window.EventSource = class extends Source {
    set onmessage(hear) {
      super.onmessage = (event) => {
        const { table } = JSON.parse(event.data) // the lobby's stream has no table
        if (table) window.told.push(table.commitment)
        hear(event)
      }
    }
  }
  const send = window.fetch
  window.fetch = (path, init) => {
    if (String(path).endsWith('/sit')) (window.sat ??= []).push({ told: [...window.told], ...JSON.parse(init.body) })
    return send(path, init)
  }
}

// Add to `window.told` the commitment in the reply to a request for a new table.
export const recordRequests = () => {
  const ask = window.fetch
  window.fetch = async (path, init) => {
    const reply = await ask(path, init)
    if (path === '/api/tables' && init?.method === 'POST') window.told.push((await reply.clone().json()).commitment)
    return reply
  }
}
