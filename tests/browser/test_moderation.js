// Count the event streams that the page opens.
export const countStreams = () => {
  window.listened = 0
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given)
      window.listened += 1
    }
  }
}
